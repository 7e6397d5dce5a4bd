// SPDX-License-Identifier: MIT
// The clocks of this host: CLOCK_MONOTONIC counted from construction, and the wall clock.
#pragma once

#include <chrono>

#include "client_lib/net/clock.h"

namespace retrylab {

// Thread-safe.
class SystemClock : public Clock {
 public:
  Now now() override;
  bool sleep_until(Instant at, const std::stop_token& stop) override;

 private:
  std::chrono::steady_clock::time_point origin_ = std::chrono::steady_clock::now();
};

}  // namespace retrylab
