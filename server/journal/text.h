// SPDX-License-Identifier: MIT
// A text that never changes and that copies share. The attempts of an operation have the same
// head, key and route: a journal of a million attempts holds each once and not a million times.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

namespace retrylab::journal {

template <typename T>
concept StringLike = std::convertible_to<const T&, std::string_view>;

// Reads like a string. Copying costs a count, moving nothing; an empty one takes no memory.
class Text {
 public:
  Text() = default;
  Text(std::string text)  // NOLINT(google-explicit-constructor): it is a string
      : text_(text.empty() ? nullptr : new Shared(std::move(text))) {}
  Text(std::string_view text) : Text(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Text(const char* text) : Text(std::string(text)) {}       // NOLINT(google-explicit-constructor)

  // Valid as long as this text or a copy of it lives.
  const std::string& str() const {
    static const std::string kEmpty;
    return text_ ? text_->text : kEmpty;
  }
  operator const std::string&() const { return str(); }  // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return str(); }    // NOLINT(google-explicit-constructor)

  // The string itself, moved out where no other text shares it.
  std::string take() && {
    if (!text_) return {};
    std::string taken = text_->use_count() == 1 ? std::move(text_->text) : text_->text;
    text_.reset();
    return taken;
  }

  bool empty() const { return text_ == nullptr; }
  std::size_t size() const { return str().size(); }

  friend bool operator==(const Text& one, const Text& other) {
    return one.text_ == other.text_ || one.str() == other.str();
  }
  template <StringLike Other>
  friend bool operator==(const Text& one, const Other& other) {
    return std::string_view(one.str()) == std::string_view(other);
  }

 private:
  // Half the size of a shared_ptr; an attempt has eleven texts.
  struct Shared : boost::intrusive_ref_counter<Shared, boost::thread_safe_counter> {
    explicit Shared(std::string of) : text(std::move(of)) {}
    std::string text;
  };

  boost::intrusive_ptr<Shared> text_;
};

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

// Makes one text of equal ones. What it has seen lives as long as it does.
class TextPool {
 public:
  const Text& of(std::string_view text);

 private:
  std::unordered_set<Text, TextHash, std::equal_to<>> texts_;
};

}  // namespace retrylab::journal
