// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <optional>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/timing.h"

namespace retrylab::verify::rules {
namespace {

// A hedge: the attempt before it was still waiting.
void judge_gap(const Evidence& evidence, Duration delay, const Gap& gap, Tally& tally) {
  if (gap.wait_at_most) return;
  const Duration apart = gap.after->first_byte - gap.before->first_byte;
  if (early(apart, delay) != Early::proven) return tally.kept(*gap.before);
  tally.broke(*gap.before, *gap.after, delay - apart, [&] {
    return Finding{
        fmt::format("hedges at least {} apart", time_text(delay)),
        fmt::format("{} came {} after {}, which was still waiting", name_of(evidence, *gap.after),
                    time_text(apart), name_of(evidence, *gap.before)),
        "Send the next hedge only when the hedging delay is over."};
  });
}

// After the first success nobody waits for the others.
void judge_losers(const Evidence& evidence, const Chain& chain, Tally& tally) {
  std::optional<Instant> won;
  for (const AttemptEvidence& attempt : chain.attempts) {
    if (attempt.seen.success() && (!won || *attempt.seen.from < *won)) won = attempt.seen.from;
  }
  if (!won) return;
  for (const AttemptEvidence& attempt : chain.attempts) {
    if (attempt.first_byte <= saturating_add(*won, kLateTolerance)) continue;
    tally.broke(chain.first(), attempt, std::nullopt, [&] {
      return Finding{"no hedge after the first success",
                     fmt::format("{} came {} after it", name_of(evidence, attempt),
                                 time_text(attempt.first_byte - *won)),
                     "Cancel the hedges that are left when one attempt has succeeded."};
    });
  }
}

RuleResult judge(const Evidence& evidence) {
  const auto delay = evidence.scenario.expect.hedging_delay;
  Tally tally(evidence);
  if (delay) {
    for (const Chain& chain : evidence.chains) {
      for (const Gap& gap : chain.gaps) judge_gap(evidence, *delay, gap, tally);
      judge_losers(evidence, chain, tally);
    }
  }
  return tally.result(
      {.expected = "hedges a delay apart, and none after a success",
       .none = delay ? "no attempt was a hedge" : "no hedging is declared: say hedging_delay"});
}

}  // namespace

constinit const Rule kAt6{.id = "AT-6",
                          .statement = "Hedges keep their distance, and stop at the first success",
                          .source = "gRPC A6",
                          .parameters = "hedging_delay",
                          .decision =
                              "Fails when a hedge comes earlier than declared, or one begins after "
                              "the first success. Where hedging is declared, AT-5 is not judged.",
                          .judge = judge};

}  // namespace retrylab::verify::rules
