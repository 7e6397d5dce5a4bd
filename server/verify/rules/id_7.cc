// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

using journal::Source;

constexpr Duration kAtOnce = std::chrono::milliseconds(5);

void judge_refused(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const AttemptEvidence& before = *gap.before;
  const bool is_corrected =
      before.record->key != gap.after->record->key || !is_same_request(before, *gap.after);
  if (is_corrected) return tally.kept(before);
  tally.broke(before, *gap.after, std::nullopt, [&] {
    return Finding{"no repeat until the request is corrected", came_after(evidence, gap),
                   before.record->planned.source == Source::key_missing
                       ? "Send a key: the server said that it needs one."
                       : "The key was used for another request: make a new one for this."};
  });
}

void judge_in_progress(const Evidence& evidence, const Gap& gap, Tally& tally) {
  if (!gap.wait_at_most || *gap.wait_at_most >= kAtOnce) return tally.kept(*gap.before);
  tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
    return Finding{"a wait before asking again", came_after(evidence, gap),
                   "Back off while the first attempt is still being worked on."};
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains) {
    for (const Gap& gap : chain.gaps) {
      const Source source = gap.before->record->planned.source;
      if (source == Source::key_in_flight) judge_in_progress(evidence, gap, tally);
      if (source == Source::key_missing || source == Source::key_reused) {
        judge_refused(evidence, gap, tally);
      }
    }
    const Source last = chain.last().record->planned.source;
    if (last == Source::key_missing || last == Source::key_reused) tally.kept(chain.last());
  }
  return tally.result({.expected = "the key store's answers taken for what they say",
                       .none = "the key store refused nothing"});
}

}  // namespace

constinit const Rule kId7{
    .id = "ID-7",
    .statement =
        "The key store's refusals are understood: 409 later again, 422 and 400 not as they were",
    .source = "draft-ietf-httpapi-idempotency-key-header §2.7",
    .parameters = "route.idempotency",
    .decision =
        "Fails when the very request is repeated after 422 or after 400 for a missing key, or at "
        "once after 409. That the key stays the same is ID-3's.",
    .judge = judge};

}  // namespace retrylab::verify::rules
