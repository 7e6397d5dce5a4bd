// SPDX-License-Identifier: MIT
// Time as values. Nothing here reads a clock: `Instant` has no now(), so that code which
// needs the time has to be handed it.
#pragma once

#include <chrono>
#include <cstdint>

namespace retrylab {

// A length of time; never a raw number of milliseconds.
using Duration = std::chrono::nanoseconds;

// The tag of the monotonic clock of one run. It deliberately has no now().
struct Monotonic {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = Duration;
  static constexpr bool is_steady = true;
};

// A moment on the monotonic clock, counted from an origin that its maker chose: a run's start
// for the server, the operation's start for the client.
using Instant = std::chrono::time_point<Monotonic, Duration>;

// A moment on the calendar, UTC. Used for HTTP dates and nothing else: waits are computed on
// `Instant`, because a wall clock can be set.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

inline constexpr Duration kForever = Duration::max();
inline constexpr Instant kNever = Instant::max();

// `at + wait` that stops at kNever instead of overflowing. `wait` is zero or more.
constexpr Instant saturating_add(Instant at, Duration wait) {
  return wait > kNever - at ? kNever : at + wait;
}

// `wait * factor` that stops at kForever instead of overflowing. Both are zero or more.
constexpr Duration saturating_multiply(Duration wait, std::int64_t factor) {
  if (factor != 0 && wait > kForever / factor) return kForever;
  return wait * factor;
}

}  // namespace retrylab
