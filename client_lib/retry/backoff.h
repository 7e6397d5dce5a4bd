// SPDX-License-Identifier: MIT
// How long to wait of one's own accord: the ceiling of the n-th wait, and a draw below it.
// Integer arithmetic on nanoseconds; no wait is negative or overflows, at any n.
#pragma once

#include <cstdint>

#include "client_lib/base/random.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/policy.h"

namespace retrylab {

// min(cap, base * factor^index), one factor more when the first ceiling is doubled. `index` is 0
// for the first wait that there is: the second retry's, when the first comes at once. `throttled`
// chooses the throttle base where there is one.
Duration backoff_ceiling(const Backoff& backoff, std::uint64_t index, bool throttled = false);

struct BackoffState {
  std::uint64_t waits = 0;  // drawn so far
  Duration previous{0};     // the last draw; for decorrelated jitter
};

// Draws the next wait and counts it. Always exactly one draw, except for jitter `none` and for a
// first retry at once.
Duration draw_backoff(const Backoff& backoff, bool throttled, BackoffState& state, Random& random);

}  // namespace retrylab
