// SPDX-License-Identifier: MIT
// A circuit breaker as it shows on the wire: so many failures in a row, then silence, then a few
// probes (CB-1 to CB-4).
#pragma once

#include <optional>
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

// All attempts of a run.
std::vector<const AttemptEvidence*> in_order_of_arrival(const RunEvidence& run);

// In order of time, for one run, up to the first silence that was not kept. What was on its way
// when the breaker opened is no intruder.
std::vector<Opening> openings_of(const RunEvidence& run, const scenario::ExpectSilence& silence);

// Every opening of every run, told to the tally by `judge`; `none`: why there was none.
RuleResult judge_openings(const Evidence& evidence, const Outline& outline,
                          void (*judge)(const Evidence&, const Opening&, Tally&));

// What comes in the first quarter of the silence shows that there is none (CB-1); later, that it
// was broken (CB-2).
inline constexpr double kAtOnce = 0.25;

// How far into the silence that attempt came, from 0 to 1.
double depth_of(const Opening& opening, const AttemptEvidence& attempt);

}  // namespace retrylab::verify
