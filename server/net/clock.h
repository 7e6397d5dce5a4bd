// SPDX-License-Identifier: MIT
// The clock of one run: Instant zero is its making, on the monotonic clock; the wall clock is
// sampled at the same moment.
#pragma once

#include <chrono>

#include "client_lib/base/time.h"

namespace retrylab::net {

class Clock {
 public:
  using Steady = std::chrono::steady_clock;

  Clock() : origin_(Steady::now()), wall_origin_(std::chrono::system_clock::now()) {}

  Instant now() const { return Instant(Steady::now() - origin_); }
  WallTime wall_origin() const { return wall_origin_; }
  // For timers. Instants beyond the clock's range become its end.
  Steady::time_point steady(Instant at) const {
    const Duration wait = at.time_since_epoch();
    return wait > Steady::time_point::max() - origin_ ? Steady::time_point::max() : origin_ + wait;
  }

 private:
  Steady::time_point origin_;
  WallTime wall_origin_;
};

}  // namespace retrylab::net
