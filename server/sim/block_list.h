// SPDX-License-Identifier: MIT
// Lists that share their memory: each takes blocks from a pool as it grows and gives them back as
// it is read, so that many lists which are long at different times need no more than the longest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace retrylab::sim {

template <typename T>
struct Block {
  static constexpr std::uint32_t kRoom = 64;

  std::array<T, kRoom> items;
  Block* next;
};

template <typename T>
class BlockPool {
 public:
  Block<T>* take() {
    if (free_ == nullptr) grow();
    Block<T>* block = std::exchange(free_, free_->next);
    block->next = nullptr;
    return block;
  }
  void give_back(Block<T>* block) { block->next = std::exchange(free_, block); }

 private:
  static constexpr std::size_t kAtOnce = 16;

  void grow() {
    // NOLINTNEXTLINE(modernize-avoid-c-arrays)
    auto& blocks = all_.emplace_back(std::make_unique_for_overwrite<Block<T>[]>(kAtOnce));
    for (std::size_t i = kAtOnce; i > 0; --i) give_back(&blocks[i - 1]);
  }

  std::vector<std::unique_ptr<Block<T>[]>> all_;  // NOLINT(modernize-avoid-c-arrays)
  Block<T>* free_ = nullptr;
};

// First in, first out. Not copied: its blocks are the pool's.
template <typename T>
class BlockList {
 public:
  bool empty() const { return first_ == nullptr; }

  void push_back(const T& item, BlockPool<T>& pool) {
    if (first_ == nullptr) {
      first_ = last_ = pool.take();
      begin_ = end_ = 0;
    } else if (end_ == Block<T>::kRoom) {
      last_ = last_->next = pool.take();
      end_ = 0;
    }
    last_->items[end_++] = item;
  }

  // The list is not empty.
  T pop_front(BlockPool<T>& pool) {
    const T item = first_->items[begin_++];
    if (begin_ == end_ && first_ == last_) {
      pool.give_back(first_);
      first_ = last_ = nullptr;
    } else if (begin_ == Block<T>::kRoom) {
      Block<T>* read = std::exchange(first_, first_->next);
      pool.give_back(read);
      begin_ = 0;
    }
    return item;
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Block<T>* block = first_; block != nullptr; block = block->next) {
      const std::uint32_t from = block == first_ ? begin_ : 0;
      const std::uint32_t until = block == last_ ? end_ : Block<T>::kRoom;
      for (std::uint32_t i = from; i < until; ++i) visit(block->items[i]);
    }
  }

  // Up to the room of a block.
  bool is_short() const { return first_ == last_; }

 private:
  Block<T>* first_ = nullptr;
  Block<T>* last_ = nullptr;
  std::uint32_t begin_ = 0;  // in the first block
  std::uint32_t end_ = 0;    // in the last
};

}  // namespace retrylab::sim
