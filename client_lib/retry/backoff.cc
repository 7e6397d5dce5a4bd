// SPDX-License-Identifier: MIT
#include "client_lib/retry/backoff.h"

#include <algorithm>

namespace retrylab {
namespace {

__extension__ using Wide = __int128;

// wait * part / whole, at most `limit`.
Duration scale(Duration wait, std::int64_t part, std::int64_t whole, Duration limit) {
  const Wide scaled = Wide{wait.count()} * part / whole;
  return scaled > limit.count() ? limit : Duration(static_cast<std::int64_t>(scaled));
}

// min(cap, U(base, 3 * previous)), the first previous wait being the base.
Duration draw_decorrelated(const Backoff& backoff, const BackoffState& state, Random& random) {
  const bool first = state.waits == (backoff.first_at_once ? 1U : 0U);
  const Duration previous = first ? backoff.base : state.previous;
  const Duration high = std::max(backoff.base, saturating_multiply(previous, 3));
  return std::min(backoff.cap, random.between(backoff.base, high));
}

}  // namespace

Duration backoff_ceiling(const Backoff& backoff, std::uint64_t index, bool throttled) {
  const Duration base = throttled ? backoff.throttle_base.value_or(backoff.base) : backoff.base;
  Duration ceiling = std::min(base, backoff.cap);
  const std::uint64_t steps = index + (backoff.first_ceiling_doubled ? 1 : 0);
  for (std::uint64_t step = 0; step < steps && ceiling < backoff.cap; ++step) {
    const Duration next = scale(ceiling, backoff.factor_thousandths, 1000, backoff.cap);
    if (next == ceiling) break;  // factor 1, or a base too small to grow
    ceiling = next;
  }
  return ceiling;
}

Duration draw_backoff(const Backoff& backoff, bool throttled, BackoffState& state, Random& random) {
  if (backoff.first_at_once && state.waits == 0) {
    ++state.waits;
    return state.previous = Duration(0);
  }
  const std::uint64_t index = state.waits - (backoff.first_at_once ? 1 : 0);
  const Duration ceiling = backoff_ceiling(backoff, index, throttled);
  Duration wait = ceiling;
  switch (backoff.jitter) {
    case Jitter::none:
      break;
    case Jitter::full:
      wait = random.between(Duration(0), ceiling);
      break;
    case Jitter::equal:
      wait = random.between(ceiling - ceiling / 2, ceiling);
      break;
    case Jitter::decorrelated:
      wait = draw_decorrelated(backoff, state, random);
      break;
    case Jitter::proportional: {
      const Duration around = scale(ceiling, static_cast<std::int64_t>(backoff.spread.part),
                                    static_cast<std::int64_t>(backoff.spread.whole), ceiling);
      wait = random.between(ceiling - around, ceiling + around);
      break;
    }
  }
  ++state.waits;
  state.previous = wait;
  return wait;
}

}  // namespace retrylab
