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

RuleResult judge(const Evidence& evidence) {
  RuleResult worst = not_declared();
  for (const auto& [route, range] : evidence.scenario.expect.routes) {
    RuleResult result = judge_run_counts(
        evidence, range,
        {.noun = "attempt", .of = " at " + route, .advice = "See which route the client used."},
        [&route = route](const RunEvidence& run) {
          return std::ranges::count_if(run.record->attempts, [&](const journal::Attempt& attempt) {
            return attempt.planned.route == route;
          });
        });
    if (weight(result.status) >= weight(worst.status)) worst = std::move(result);
  }
  return worst;
}

}  // namespace

constinit const Rule kRoutes{.id = "routes",
                             .statement = "Attempts per route",
                             .parameters = "routes",
                             .decision = "Counts the attempts that each route got in a run.",
                             .is_of_progress = true,
                             .judge = judge};

}  // namespace retrylab::verify::rules
