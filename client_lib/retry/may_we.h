// SPDX-License-Identifier: MIT
// May we make another attempt? Counting and the clock; the budget and the breaker have files of
// their own.
#pragma once

#include <cstdint>

#include "client_lib/base/time.h"
#include "client_lib/retry/policy.h"

namespace retrylab {

// Redirects that were followed do not use up attempts.
constexpr bool attempts_left(const Policy& policy, std::uint64_t attempts_made,
                             std::uint32_t redirects_followed) {
  return attempts_made < std::uint64_t{policy.attempts} + redirects_followed;
}

// When the operation that began at `started` has to be over.
constexpr Instant deadline_of(const Policy& policy, Instant started) {
  return saturating_add(started, policy.deadline);
}

// An attempt that starts at `at` still has time.
constexpr bool before_deadline(const Policy& policy, Instant started, Instant at) {
  return policy.deadline == kForever || at < deadline_of(policy, started);
}

// How long an attempt that starts now may take: the attempt's own limit or what is left of the
// operation's time, whichever is shorter. kForever: no limit.
constexpr Duration time_for_attempt(const Policy& policy, Instant started, Instant now) {
  if (policy.deadline == kForever) return policy.attempt_timeout;
  const Duration left = deadline_of(policy, started) - now;
  return left < policy.attempt_timeout ? left : policy.attempt_timeout;
}

}  // namespace retrylab
