// SPDX-License-Identifier: MIT
// Several lists, read as one. Each was filled by itself, and what points into one stays valid.
#pragma once

#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace retrylab::verify {

template <typename T>
class Joined {
 public:
  class Iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const std::vector<T>* list, const std::vector<T>* end) : list_(list), end_(end) {
      enter();
    }

    const T& operator*() const { return *at_; }
    Iterator& operator++() {
      if (++at_ == last_) {
        ++list_;
        enter();
      }
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    // To the first of the next list that has any.
    void enter() {
      while (list_ != end_ && list_->empty()) ++list_;
      at_ = list_ == end_ ? nullptr : list_->data();
      last_ = list_ == end_ ? nullptr : at_ + list_->size();
    }

    const std::vector<T>* list_ = nullptr;
    const std::vector<T>* end_ = nullptr;
    const T* at_ = nullptr;
    const T* last_ = nullptr;
  };

  void add(std::vector<T> list) { lists_.push_back(std::move(list)); }

  Iterator begin() const { return {lists_.data(), lists_.data() + lists_.size()}; }
  Iterator end() const { return {}; }
  std::size_t size() const {
    return std::accumulate(
        lists_.begin(), lists_.end(), std::size_t{0},
        [](std::size_t sum, const std::vector<T>& list) { return sum + list.size(); });
  }

 private:
  std::vector<std::vector<T>> lists_;
};

}  // namespace retrylab::verify
