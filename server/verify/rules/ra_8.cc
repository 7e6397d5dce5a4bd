// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::string_view kAdvice =
    "Give up at once when the wait is beyond the cap or the deadline; never shorten it, and mind "
    "the range of the timer.";

bool applies(const AttemptEvidence& attempt) {
  return attempt.asked.valid() && attempt.asked.wait >= kHugeWait &&
         is_retry_status(attempt.seen.status);
}

void judge_gap(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const auto bound = binding_wait(evidence, *gap.before);
  if (!bound || !gap.wait_at_most) return;
  const auto tell = [&] {
    return Finding{"no attempt before the time that was asked for", came_after(evidence, gap),
                   std::string(kAdvice)};
  };
  if (early(*gap.wait_at_most, *bound) == Early::proven) {
    return tally.broke(*gap.before, *gap.after, gap.before->asked.wait - *gap.wait_at_most, tell);
  }
  const bool is_clamped = *bound < gap.before->asked.wait;
  if (is_clamped) return tally.advise(*gap.before, *gap.after, std::nullopt, tell);
  tally.kept(*gap.before);
}

void judge_end(const Evidence& evidence, const AttemptEvidence& last, Tally& tally) {
  if (!binding_wait(evidence, last)) return;
  if (afterwards(evidence, last) != Afterwards::hung) return tally.kept(last);
  tally.broke(last, std::nullopt, [&] {
    return Finding{"giving up at once",
                   fmt::format("after {} that {} ({}) {}", describe(last.seen), asking(last),
                               name_of(evidence, last), ending_text(evidence, last)),
                   std::string(kAdvice)};
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains_if(evidence.occurring.asked)) {
    for (const Gap& gap : chain.gaps) {
      if (applies(*gap.before)) judge_gap(evidence, gap, tally);
    }
    if (applies(chain.last())) judge_end(evidence, chain.last(), tally);
  }
  return tally.result({.expected = "no attempt before a wait of an hour or more is over",
                       .none = "no answer asked for an hour or more"});
}

}  // namespace

constinit const Rule kRa8{
    .id = "RA-8",
    .statement = "A huge Retry-After is given up, not turned into an early retry",
    .source = "RFC 9110 §10.2.3",
    .parameters = "retry_after (clamp); profile: what it does with long waits",
    .decision =
        "From one hour on. Fails when an attempt comes before the time, or when the "
        "client sits there until it is stopped. A declared clamp that is kept is advice: "
        "it comes back earlier than asked.",
    .judge = judge};

}  // namespace retrylab::verify::rules
