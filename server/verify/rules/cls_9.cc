// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

void judge_end(const Evidence& evidence, const Chain& chain, Tally& tally) {
  const AttemptEvidence& last = chain.last();
  const auto said = last.should_retry;
  if (!said) return;
  if (!*said) return tally.kept(last);
  const bool is_judged = has_attempts_left(evidence, chain) && !asks_too_much(evidence, last) &&
                         afterwards(evidence, last) == Afterwards::gave_up;
  if (!is_judged) return;
  tally.broke(last, std::nullopt, [&] {
    return Finding{"another attempt, since the server asked for one",
                   fmt::format("nothing followed {} that said to retry ({})", describe(last.seen),
                               name_of(evidence, last)),
                   "Let the server's word decide before the status does."};
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains_if(evidence.occurring.should_retry)) {
    for (const Gap& gap : chain.gaps) {
      const auto said = gap.before->should_retry;
      if (!said) continue;
      if (*said) {
        tally.kept(*gap.before);
        continue;
      }
      tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
        return Finding{"no retry, since the server forbade it",
                       came_after(evidence, gap) + " and said not to retry",
                       "Let the server's word decide before the status does."};
      });
    }
    judge_end(evidence, chain, tally);
  }
  return tally.result({.expected = "what the server said about retrying",
                       .none = "no answer said whether to retry"});
}

}  // namespace

constinit const Rule kCls9{
    .id = "CLS-9",
    .statement = "The server's own word on retrying is followed",
    .source = "Stripe-Should-Retry, x-should-retry",
    .parameters = "profile: only where it is named",
    .decision =
        "Fails on a retry after false, or when nothing follows true though attempts are left.",
    .judge = judge};

}  // namespace retrylab::verify::rules
