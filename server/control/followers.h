// SPDX-License-Identifier: MIT
// Who holds a thread of the admin listener for long: followers and waiting verdicts. There are
// fewer places than threads, so that the others are always served.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace retrylab::control {

// Thread-safe.
class Followers {
 public:
  explicit Followers(int places)
      : free_(std::make_shared<std::atomic<int>>(places)), places_(places) {}

  struct GiveBack {
    std::shared_ptr<std::atomic<int>> free{};
    void operator()(const void*) const { ++*free; }
  };
  // May outlive the followers.
  using Place = std::unique_ptr<const void, GiveBack>;

  // Null when all are taken.
  Place take() {
    for (int free = *free_; free > 0;) {
      if (free_->compare_exchange_weak(free, free - 1)) return Place(this, GiveBack{free_});
    }
    return Place(nullptr, GiveBack{});
  }

  int taken() const { return places_ - *free_; }
  void count_dropped() { ++dropped_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  std::shared_ptr<std::atomic<int>> free_;
  const int places_;
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace retrylab::control
