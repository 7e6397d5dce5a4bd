// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Everything failed, from the first to the last: then the budget alone says how many retries.
bool is_total_outage(const RunEvidence& run, int status) {
  return std::ranges::all_of(run.operations, [status](const OperationEvidence& operation) {
    return std::ranges::all_of(operation.attempts, [status](const AttemptEvidence& attempt) {
      const bool is_throttling = attempt.seen.status == 429;
      return (status == 429) == is_throttling && is_retry_status(attempt.seen.status);
    });
  });
}

std::uint64_t retries_of(const RunEvidence& run) {
  std::uint64_t retries = 0;
  for (const OperationEvidence& operation : run.operations) {
    for (const Chain& chain : operation.chains) retries += chain.tries() - 1;
  }
  return retries;
}

void judge_run(const RunEvidence& run, Tally& tally) {
  const OutageBudget& budget = *tally.evidence().settings.profile->outage;
  const bool is_one_client = run.record->one_process && run.operations.size() > 1;
  if (!is_one_client) return;
  for (const auto& [status, limit] :
       {std::pair(503, budget.transient), std::pair(429, budget.throttling)}) {
    if (!is_total_outage(run, status)) continue;
    const std::uint64_t retries = retries_of(run);
    const AttemptEvidence& first = run.operations.front().first();
    const AttemptEvidence& last = run.operations.back().last();
    if (retries <= limit) {
      tally.kept(first);
      continue;
    }
    tally.broke(first, last, std::nullopt, [&, most = limit] {
      return Finding{fmt::format("at most {} in a total outage", counted(most, "retry")),
                     counted(retries, "retry"),
                     "Take every retry from the quota, and give nothing back for failures."};
    });
  }
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const auto& budget = evidence.settings.profile->outage;
  if (budget) {
    for (const RunEvidence& run : evidence.runs) judge_run(run, tally);
  }
  return tally.result({.expected = "no more retries in a total outage than the quota holds",
                       .none = budget ? "there was no total outage for one client with several "
                                        "operations"
                                      : "this profile has no quota"});
}

}  // namespace

constinit const Rule kBu3{
    .id = "BU-3",
    .statement = "In a total outage there are no more retries than the quota holds",
    .source = "AWS SDKs and Tools Reference, retry quota",
    .parameters = "profile; operations",
    .decision =
        "Exact: with every attempt failing, aws-standard-2.0 makes 100 retries, aws-standard-2.1 "
        "makes 35, or 100 when throttled, and then none.",
    .judge = judge};

}  // namespace retrylab::verify::rules
