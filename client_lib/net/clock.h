// SPDX-License-Identifier: MIT
// The clock of a client as an interface, so that a test can be its own clock.
#pragma once

#include <stop_token>

#include "client_lib/base/time.h"
#include "client_lib/retry/next_move.h"

namespace retrylab {

class Clock {
 public:
  virtual ~Clock() = default;

  // Monotonic, zero or more.
  virtual Now now() = 0;

  // Returns at `at` or later, never before, or at once when `stop` is requested from another
  // thread; false then.
  virtual bool sleep_until(Instant at, const std::stop_token& stop) = 0;
};

}  // namespace retrylab
