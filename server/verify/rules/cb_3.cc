// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/breaker.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

void judge_opening(const Evidence& evidence, const Opening& opening, Tally& tally) {
  if (opening.probes.empty()) return;
  const std::uint64_t limit = evidence.scenario.expect.silence->probes;
  if (opening.probes.size() <= limit) return tally.kept(*opening.probes.front());
  const AttemptEvidence& extra = *opening.probes[limit];
  tally.broke(*opening.probes.front(), extra, std::nullopt, [&] {
    return Finding{fmt::format("at most {} at once", counted(limit, "probe")),
                   fmt::format("{} before the first was answered, {} among them",
                               counted(opening.probes.size(), "attempt"), name_of(evidence, extra)),
                   "Let only the declared number of probes through until one has an outcome."};
  });
}

RuleResult judge(const Evidence& evidence) {
  return judge_openings(evidence,
                        {.expected = "no more probes at once than declared",
                         .none = "the breaker was never half open"},
                        judge_opening);
}

}  // namespace

constinit const Rule kCb3{.id = "CB-3",
                          .statement = "A half-open breaker lets only its probes through",
                          .source = "resilience4j, Polly, Hystrix: circuit breakers",
                          .parameters = "silence: after, for, probes",
                          .decision =
                              "Fails when more attempts than declared arrive between the end of "
                              "the silence and the first answer.",
                          .judge = judge};

}  // namespace retrylab::verify::rules
