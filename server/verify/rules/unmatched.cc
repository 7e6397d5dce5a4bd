// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

constexpr scenario::CountRange kNone{.max = 0};

bool is_unmatched(const journal::Attempt& attempt) {
  return attempt.planned.source == journal::Source::unmatched;
}

bool is_all_in_operations(const Evidence& evidence) {
  std::size_t attempts = 0;
  for (const RunEvidence& run : evidence.runs) attempts += run.record->attempts.size();
  return evidence.attempts.size() == attempts;
}

// The first of them, and why no route took it.
void add_example(const Evidence& evidence, RuleResult& result) {
  for (const RunEvidence& run : evidence.runs) {
    for (const journal::Attempt& attempt : run.record->attempts) {
      if (!is_unmatched(attempt)) continue;
      if (result.attempts.empty()) {
        result.observed += fmt::format(": {} {}", attempt.method.str(), attempt.target.str());
        const auto& misses = attempt.planned.near_misses;
        if (!misses.empty()) result.observed += fmt::format(" ({})", misses.front());
      }
      if (result.attempts.size() == kEvidenceMax) return;
      result.attempts.push_back({attempt.run, attempt.id});
    }
  }
}

RuleResult judge(const Evidence& evidence) {
  RuleResult result = judge_run_counts(
      evidence, evidence.scenario.expect.unmatched.value_or(kNone),
      {.noun = "unmatched request",
       .advice = "Add a route for it to the scenario, or correct the client's request."},
      [&evidence](const RunEvidence& run) {
        return is_all_in_operations(evidence)
                   ? 0
                   : std::ranges::count_if(run.record->attempts, is_unmatched);
      });
  if (result.status == Status::fail) add_example(evidence, result);
  return result;
}

}  // namespace

constinit const Rule kUnmatched{
    .id = "unmatched",
    .statement = "Requests that no route takes",
    .parameters = "unmatched; default: none",
    .decision = "Fails on one request without a route, unless the scenario allows some.",
    .judge = judge};

}  // namespace retrylab::verify::rules
