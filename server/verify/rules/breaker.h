// SPDX-License-Identifier: MIT
// A circuit breaker as it shows on the wire: so many failures in a row, then silence, then a few
// probes (CB-1 to CB-4).
#pragma once

#include <cstddef>
#include <vector>

#include "server/verify/evidence.h"
#include "server/verify/rules/tally.h"

namespace retrylab::verify {

// One time that the breaker had to open.
struct Opening {
  const AttemptEvidence* last_failure = nullptr;
  bool is_probe = false;  // the failure was a probe's: it opened again
  Instant from;           // the client has known since then
  Instant until;          // the silence ends
  // What was sent meanwhile, the first of it.
  const AttemptEvidence* intruder = nullptr;
  // Attempts from the end of the silence until the first of them was answered.
  std::vector<const AttemptEvidence*> probes;
};

using Arrivals = std::vector<const AttemptEvidence*>;

// All attempts of a run.
Arrivals in_order_of_arrival(const RunEvidence& run);

// The same for each host that the client asked for (its Host), in the order of their first
// attempts: a breaker is one host's.
std::vector<Arrivals> by_host(const RunEvidence& run);

// The client's call failed in a way that counts for a breaker: 4xx but 429 says that the server is
// well (CB-6).
bool is_trouble(const AttemptEvidence& attempt);

// In order of time, for one host, up to the first silence that was not kept. What was on its way
// when the breaker opened is no intruder.
std::vector<Opening> openings_of(const Arrivals& attempts, const scenario::ExpectSilence& silence);

// Between attempt number `last` and the next was a silence about as long as the breaker's, in which
// the load before lets expect so many attempts that it is none by chance. The load is taken from
// the ten attempts up to that one; false where there are fewer.
bool is_silent_after(const Arrivals& attempts, std::size_t last,
                     const scenario::ExpectSilence& silence);

// Every opening of every run, told to the tally by `judge`; `none`: why there was none.
RuleResult judge_openings(const Evidence& evidence, const Outline& outline,
                          void (*judge)(const Evidence&, const Opening&, Tally&));

// What comes in the first quarter of the silence shows that there is none (CB-1); later, that it
// was broken (CB-2).
inline constexpr double kAtOnce = 0.25;

// How far into the silence that attempt came, from 0 to 1.
double depth_of(const Opening& opening, const AttemptEvidence& attempt);

}  // namespace retrylab::verify
