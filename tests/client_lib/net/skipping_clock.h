// SPDX-License-Identifier: MIT
// The clock for real sockets without real waits: attempts take the time they take, and a sleep
// jumps to its end.
#pragma once

#include <mutex>

#include "client_lib/net/system_clock.h"

namespace retrylab {

class SkippingClock : public Clock {
 public:
  Now now() override {
    const std::lock_guard lock(mutex_);
    const Now now = real_.now();
    return {.at = now.at + skipped_, .wall = now.wall + skipped_};
  }
  bool sleep_until(Instant at, const std::stop_token& stop) override {
    const Duration wait = at - now().at;
    const std::lock_guard lock(mutex_);
    if (wait > Duration(0)) skipped_ += wait;
    return !stop.stop_requested();
  }

 private:
  std::mutex mutex_;
  SystemClock real_;
  Duration skipped_{0};
};

}  // namespace retrylab
