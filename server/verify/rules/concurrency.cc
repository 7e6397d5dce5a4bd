// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// The most attempts that were being served at one instant.
std::uint64_t peak(const RunEvidence& run) {
  std::vector<std::pair<Instant, int>> events;
  for (const OperationEvidence& operation : run.operations) {
    for (const AttemptEvidence& attempt : operation.attempts) {
      events.emplace_back(attempt.first_byte, 1);
      if (attempt.seen.until) events.emplace_back(*attempt.seen.until, -1);
    }
  }
  std::ranges::sort(events);
  std::int64_t now = 0;
  std::int64_t most = 0;
  for (const auto& [at, change] : events) most = std::max(most, now += change);
  return static_cast<std::uint64_t>(most);
}

RuleResult judge(const Evidence& evidence) {
  return judge_run_counts(evidence, evidence.scenario.expect.concurrency,
                          {.noun = "attempt",
                           .of = " at one instant",
                           .advice = "Limit how many attempts are under way at once."},
                          peak);
}

}  // namespace

constinit const Rule kConcurrency{
    .id = "concurrency",
    .statement = "Attempts at one instant",
    .parameters = "concurrency",
    .decision = "The most attempts of a run that had begun and were not yet answered.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
