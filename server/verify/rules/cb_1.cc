// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/breaker.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

void judge_opening(const Evidence& evidence, const Opening& opening, Tally& tally) {
  if (opening.is_probe) return;  // CB-4
  const AttemptEvidence* intruder = opening.intruder;
  if (intruder == nullptr || depth_of(opening, *intruder) >= kAtOnce) {
    return tally.kept(*opening.last_failure);
  }
  tally.broke(*opening.last_failure, *intruder, std::nullopt, [&] {
    return Finding{"silence after so many failures in a row",
                   fmt::format("{} came {} after the last of them", name_of(evidence, *intruder),
                               time_text(intruder->first_byte - opening.from)),
                   "Open the breaker when the failures reach its threshold."};
  });
}

RuleResult judge(const Evidence& evidence) {
  return judge_openings(evidence,
                        {.expected = "silence once the breaker has to open",
                         .none = "there were never so many failures in a row"},
                        judge_opening);
}

}  // namespace

constinit const Rule kCb1{
    .id = "CB-1",
    .statement = "The breaker opens",
    .source = "resilience4j, Polly, Hystrix: circuit breakers",
    .parameters = "silence: after, for, probes",
    .decision = "Fails when attempts go on right after as many failures in a row as declared.",
    .judge = judge};

}  // namespace retrylab::verify::rules
