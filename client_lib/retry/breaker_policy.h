// SPDX-License-Identifier: MIT
// A circuit breaker as a value. breaker.h has the running state.
#pragma once

#include <cstdint>

#include "client_lib/base/ratio.h"
#include "client_lib/base/time.h"

namespace retrylab {

struct BreakerPolicy {
  // The calls that are looked at: the last `calls` of them, or, when `time` is above zero, those
  // of the last `time`.
  std::uint32_t calls = 100;  // 1 to 1024
  Duration time{0};
  Ratio threshold{1, 2};                        // opens at this share of failures ...
  std::uint32_t min_calls = 20;                 // ... once there were so many calls
  Duration cool_down{std::chrono::seconds(5)};  // how long nothing is sent
  std::uint32_t probes = 1;  // calls let through after that; all must succeed to close it
  // A probe that has not settled by then counts as failed.
  Duration probe_timeout{std::chrono::seconds(10)};
  bool count_throttling = false;  // 429 counts as a failure; other 4xx never do
};

}  // namespace retrylab
