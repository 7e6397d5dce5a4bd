// SPDX-License-Identifier: MIT
// Runs and verdicts made by hand, so that the reports are tested without a server or a rule.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "server/report/report.h"

namespace retrylab::report {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Everything that a report is about, owned.
struct Synthetic {
  scenario::Scenario scenario;
  std::vector<journal::Run> runs;
  verify::Verdict verdict;

  Report report() const { return {scenario, runs, verdict}; }
};

inline Instant at(Duration since_zero) {
  return Instant(since_zero);
}

// An answered attempt: arrives at `arrival`, answered 200 us later.
journal::Attempt answered(journal::AttemptId id, Duration arrival, int status);

// A client that ignored Retry-After: 503, 429 with 2 s, 201 that created a payment. RA-1 fails,
// BO-3 is inconclusive, RA-2 is advice, two rules are kept, one has nothing to judge.
Synthetic early_client();

// `runs` passing runs of one operation and one attempt each.
Synthetic passing(std::uint32_t runs);

}  // namespace retrylab::report
