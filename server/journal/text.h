// SPDX-License-Identifier: MIT
// A text that never changes and that copies share. The attempts of an operation have the same
// head, key and route: a journal of a million attempts holds each once and not a million times.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace retrylab::journal {

template <typename T>
concept StringLike = std::convertible_to<const T&, std::string_view>;

// Reads like a string. Copying costs a count, moving nothing; an empty one takes no memory.
class Text {
 public:
  Text() = default;
  Text(const Text& other) : text_(other.share()) {}
  Text(Text&& other) noexcept : text_(std::exchange(other.text_, nullptr)) {}
  Text& operator=(Text other) noexcept {
    std::swap(text_, other.text_);
    return *this;
  }
  ~Text() { release(); }
  Text(std::string text)  // NOLINT(google-explicit-constructor): it is a string
      : text_(text.empty() ? nullptr : new Shared(std::move(text))) {}
  Text(std::string_view text) : Text(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Text(const char* text) : Text(std::string(text)) {}       // NOLINT(google-explicit-constructor)

  // Valid as long as this text or a copy of it lives.
  const std::string& str() const {
    static const std::string kEmpty;
    return text_ != nullptr ? text_->text : kEmpty;
  }
  operator const std::string&() const { return str(); }  // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return str(); }    // NOLINT(google-explicit-constructor)

  // The string itself, moved out where no other text shares it.
  std::string take() && {
    if (text_ == nullptr) return {};
    const bool is_alone = text_->owners.load(std::memory_order_acquire) == 1;
    std::string taken = is_alone ? std::move(text_->text) : text_->text;
    release();
    return taken;
  }

  // A number that whoever knows many texts has put on this one and its copies; 0: nobody has. A
  // hint: it may be another's.
  std::uint32_t mark() const {
    return text_ != nullptr ? text_->mark.load(std::memory_order_relaxed) : 0;
  }
  void put_mark(std::uint32_t mark) const {
    if (text_ != nullptr) text_->mark.store(mark, std::memory_order_relaxed);
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
  struct Shared {
    explicit Shared(std::string of) : text(std::move(of)) {}
    std::string text;
    std::atomic<std::uint32_t> owners{1};
    std::atomic<std::uint32_t> mark{0};
  };

  Shared* share() const {
    if (text_ != nullptr) text_->owners.fetch_add(1, std::memory_order_relaxed);
    return text_;
  }
  void release() {
    if (text_ != nullptr && text_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete text_;
    }
    text_ = nullptr;
  }

  // One pointer, half the size of a shared_ptr: an attempt has eleven texts.
  Shared* text_ = nullptr;
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
