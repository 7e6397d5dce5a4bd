// SPDX-License-Identifier: MIT
// A few event loops that many runs share. A loop's thread starts with its first run.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "server/runs/live_run.h"

namespace retrylab::runs {

// Thread-safe.
class LoopPool {
 public:
  // At least one.
  explicit LoopPool(std::size_t loops) : loops_(loops) {}

  // The loop for another run, in turns. It lives as long as the pool.
  Loop& next() {
    const std::lock_guard lock(mutex_);
    auto& loop = loops_[turn_++ % loops_.size()];
    if (!loop) loop = std::make_unique<Loop>();
    return *loop;
  }

 private:
  std::mutex mutex_;
  std::size_t turn_ = 0;
  std::vector<std::unique_ptr<Loop>> loops_;
};

}  // namespace retrylab::runs
