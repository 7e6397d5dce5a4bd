// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/breaker.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

void judge_opening(const Evidence& evidence, const Opening& opening, Tally& tally) {
  if (!opening.is_probe) return;
  const AttemptEvidence* intruder = opening.intruder;
  if (intruder == nullptr) return tally.kept(*opening.last_failure);
  tally.broke(*opening.last_failure, *intruder, std::nullopt, [&] {
    return Finding{"silence again after a failed probe",
                   fmt::format("{} came {} after it", name_of(evidence, *intruder),
                               time_text(intruder->first_byte - opening.from)),
                   "Open the breaker again at once when a probe fails."};
  });
}

RuleResult judge(const Evidence& evidence) {
  return judge_openings(
      evidence, {.expected = "silence again after a failed probe", .none = "no probe failed"},
      judge_opening);
}

}  // namespace

constinit const Rule kCb4{
    .id = "CB-4",
    .statement = "A failed probe opens the breaker again",
    .source = "resilience4j, Polly, Hystrix: circuit breakers",
    .parameters = "silence: after, for, probes",
    .decision =
        "Fails on one attempt in the time after a failed probe. Not judged after a silence that "
        "was not kept: nobody knows what the breaker is at then.",
    .judge = judge};

}  // namespace retrylab::verify::rules
