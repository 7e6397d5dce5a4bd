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
  if (intruder == nullptr) return tally.kept(*opening.last_failure);
  if (depth_of(opening, *intruder) < kAtOnce) return;
  tally.broke(*opening.last_failure, *intruder, opening.until - intruder->first_byte, [&] {
    return Finding{"no attempt while the breaker is open",
                   fmt::format("{} came {} before its time was over", name_of(evidence, *intruder),
                               time_text(opening.until - intruder->first_byte)),
                   "Let nothing through before the cool-down is over."};
  });
}

RuleResult judge(const Evidence& evidence) {
  return judge_openings(evidence,
                        {.expected = "no attempt while the breaker is open",
                         .none = "there were never so many failures in a row"},
                        judge_opening);
}

}  // namespace

constinit const Rule kCb2{.id = "CB-2",
                          .statement = "While the breaker is open there is no traffic",
                          .source = "resilience4j, Polly, Hystrix: circuit breakers",
                          .parameters = "silence: after, for, probes",
                          .decision =
                              "Fails on one attempt after the first quarter of the declared time "
                              "and more than 20 ms before its end.",
                          .judge = judge};

}  // namespace retrylab::verify::rules
