// SPDX-License-Identifier: MIT
// What the operations of one program share: a retry budget and a circuit breaker, as simple as
// they can be. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "client_lib/base/time.h"
#include "server/scenario/expect.h"

namespace retrylab::zoo {

struct Shared {
  // When all operations sent their first attempts, and their retries.
  std::vector<Instant> firsts;
  std::vector<Instant> retries;
  // When the server accepted one.
  std::vector<Instant> accepted;
  // The breaker: failures in a row, closed to traffic until then, and probes on their way since.
  std::uint64_t failures = 0;
  Instant open_until;
  std::uint64_t probes = 0;
};

// One more retry now stays within the budget: as many in the window before it as the first
// attempts there allow.
bool within(const scenario::ExpectBudget& budget, const Shared& shared, Instant now);

// An attempt may go out now; a probe is counted.
bool let_through(const scenario::ExpectSilence& breaker, Shared& shared, Instant now);

// One more attempt now is not beyond the declared multiple of those that were accepted lately, and
// a few to find out.
bool is_accepted_share(const scenario::ExpectThrottle& throttle, const Shared& shared, Instant now);

// An attempt has failed, or the server has answered.
void note(const scenario::ExpectSilence& breaker, Shared& shared, bool failed, Instant now);

}  // namespace retrylab::zoo
