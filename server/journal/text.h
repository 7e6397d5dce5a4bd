// SPDX-License-Identifier: MIT
// A text that never changes and that copies share. The attempts of an operation have the same
// head, key and route: a journal of a million attempts holds each once and not a million times.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace retrylab::journal {

// Reads like a string. Copying costs a count, moving nothing; an empty one takes no memory.
class Text {
 public:
  Text() = default;
  Text(std::string text)  // NOLINT(google-explicit-constructor): it is a string
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}
  Text(std::string_view text) : Text(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Text(const char* text) : Text(std::string(text)) {}       // NOLINT(google-explicit-constructor)

  // Valid as long as this text or a copy of it lives.
  const std::string& str() const {
    static const std::string kEmpty;
    return text_ ? *text_ : kEmpty;
  }
  operator const std::string&() const { return str(); }  // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return str(); }    // NOLINT(google-explicit-constructor)

  bool empty() const { return text_ == nullptr; }
  std::size_t size() const { return text_ ? text_->size() : 0; }

  friend bool operator==(const Text& one, const Text& other) {
    return one.text_ == other.text_ || one.str() == other.str();
  }
  template <typename Other>
  requires std::convertible_to<const Other&, std::string_view> &&
      (!std::same_as<Other, Text>)friend bool
      operator==(const Text& one, const Other& other) {
    return std::string_view(one.str()) == std::string_view(other);
  }

 private:
  std::shared_ptr<const std::string> text_;
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
