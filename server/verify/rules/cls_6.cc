// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

bool is_in_progress(const AttemptEvidence& attempt) {
  return attempt.source == journal::Source::key_in_flight;
}

bool is_plain_conflict(const Evidence& evidence, const AttemptEvidence& attempt) {
  const Profile& profile = *evidence.settings.profile;
  const bool is_allowed = std::ranges::count(profile.retried, 409) > 0 ||
                          std::ranges::count(profile.may_be_retried, 409) > 0 ||
                          attempt.should_retry == true;
  return attempt.seen.status == 409 && !is_in_progress(attempt) && !is_allowed;
}

void judge_end(const Evidence& evidence, const Chain& chain, Tally& tally) {
  const AttemptEvidence& last = chain.last();
  if (is_plain_conflict(evidence, last)) return tally.kept(last);
  const bool is_judged = is_in_progress(last) && has_attempts_left(evidence, chain) &&
                         !asks_too_much(evidence, last) &&
                         afterwards(evidence, last) == Afterwards::gave_up;
  if (!is_judged) return;
  tally.broke(last, std::nullopt, [&] {
    return Finding{"another attempt with the same key",
                   fmt::format("nothing followed the 409 of an operation in progress ({}): {}",
                               name_of(evidence, last), ending_text(evidence, last)),
                   "The first attempt is still being worked on: ask again with the same key."};
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const bool is_any_conflict =
      evidence.occurring.status(409) || evidence.occurring.source(journal::Source::key_in_flight);
  for (const Chain& chain : evidence.chains_if(is_any_conflict)) {
    for (const Gap& gap : chain.gaps) {
      if (is_in_progress(*gap.before)) tally.kept(*gap.before);
      if (!is_plain_conflict(evidence, *gap.before)) continue;
      if (!is_same_request(*gap.before, *gap.after)) continue;
      tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
        return Finding{"no repeat after a plain 409", came_after(evidence, gap),
                       "A conflict has to be resolved before the request is sent again."};
      });
    }
    judge_end(evidence, chain, tally);
  }
  return tally.result({.expected = "409 repeated only while the operation is in progress",
                       .none = "no answer was 409"});
}

}  // namespace

constinit const Rule kCls6{
    .id = "CLS-6",
    .statement = "409 is retried while the operation is in progress, and not otherwise",
    .source = "RFC 9110 §15.5.10; draft-ietf-httpapi-idempotency-key-header §2.7",
    .parameters = "profile; attempts.max",
    .decision =
        "Fails when a plain 409 is followed by the same request, or when nothing follows the 409 "
        "of a key in flight though attempts are left.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
