// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_run_counts(evidence, evidence.scenario.expect.operations,
                          {.noun = "operation",
                           .advice = "Every operation is one thing wanted "
                                     "once, with all its retries."},
                          [](const RunEvidence& run) { return run.operations.size(); });
}

}  // namespace

constinit const Rule kOperations{
    .id = "operations",
    .statement = "Operations per run",
    .parameters = "operations",
    .decision = "Counts operations as the attempts were grouped; the report says by what.",
    .judge = judge};

}  // namespace retrylab::verify::rules
