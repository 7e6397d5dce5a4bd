// SPDX-License-Identifier: MIT
// A table of what has a number of its own, given out one after the other and never again: found by
// its place instead of by a hash. A reference is good until its entry is erased.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "client_lib/base/check.h"

namespace retrylab::engine {

template <typename T>
class Numbered {
 public:
  // Makes the entry where there is none. New numbers come in their order; some may be left out.
  T& operator[](std::uint64_t number) {
    const std::uint64_t chunk = number / kChunk;
    if (chunks_.empty()) first_ = chunk;
    CHECK(chunk >= first_);
    while (chunk >= first_ + chunks_.size()) chunks_.emplace_back();
    std::unique_ptr<Chunk>& holder = chunks_[chunk - first_];
    if (holder == nullptr) holder = std::make_unique<Chunk>();
    std::optional<T>& entry = holder->entries[number % kChunk];
    if (!entry) {
      entry.emplace();
      ++holder->used;
    }
    return *entry;
  }

  // Null where there is none.
  T* find(std::uint64_t number) {
    const std::uint64_t chunk = number / kChunk;
    if (chunk < first_ || chunk >= first_ + chunks_.size()) return nullptr;
    const std::unique_ptr<Chunk>& holder = chunks_[chunk - first_];
    if (holder == nullptr) return nullptr;
    std::optional<T>& entry = holder->entries[number % kChunk];
    return entry ? &*entry : nullptr;
  }

  void erase(std::uint64_t number) {
    if (find(number) == nullptr) return;
    std::unique_ptr<Chunk>& holder = chunks_[number / kChunk - first_];
    holder->entries[number % kChunk].reset();
    if (--holder->used > 0) return;
    holder.reset();
    while (!chunks_.empty() && chunks_.front() == nullptr) {
      chunks_.pop_front();
      ++first_;
    }
  }

 private:
  static constexpr std::size_t kChunk = 16;
  struct Chunk {
    std::array<std::optional<T>, kChunk> entries;
    std::size_t used = 0;
  };

  std::deque<std::unique_ptr<Chunk>> chunks_;
  std::uint64_t first_ = 0;  // number of the first chunk
};

}  // namespace retrylab::engine
