// SPDX-License-Identifier: MIT
#include "server/verify/rules/asked_waits.h"

#include <fmt/format.h>

#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify {
namespace {

void judge_minimum_wait(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const AttemptEvidence& before = *gap.before;
  const AttemptEvidence& after = *gap.after;
  const auto asked = binding_wait(evidence, before);
  if (!asked || !gap.wait_at_most) return;
  const auto tell = [&] {
    return Finding{fmt::format("a wait of at least {}", time_text(*asked)),
                   came_after(evidence, gap), likely_mistake(evidence, gap, *asked)};
  };
  const Duration missing = *asked - *gap.wait_at_most;
  switch (early(*gap.wait_at_most, *asked)) {
    case Early::no:
      return tally.kept(before);
    case Early::slightly:
      return tally.advise(before, after, missing, tell);
    case Early::proven:
      break;
  }
  // A date is read by the client's clock, and only here is that ours.
  if (before.asked.kind == RetryAfter::Kind::date && !is_local(after)) {
    return tally.spoiled(before, after, tell);
  }
  tally.broke(before, after, missing, tell);
}

void judge_unusable_gap(const Evidence& evidence, const Gap& gap, const Unusable& what,
                        Tally& tally) {
  const AttemptEvidence& before = *gap.before;
  const AttemptEvidence& after = *gap.after;
  const Duration longest = longest_wait(evidence.settings, gap.retry);
  const auto tell = [&] {
    return Finding{fmt::format("the client's own backoff, at most {}", time_text(longest)),
                   came_after(evidence, gap), what.advice};
  };
  const auto band = wait_band(evidence.settings, own_retry(gap), std::nullopt);
  if (what.needs_backoff && band && gap.wait_at_most &&
      early(*gap.wait_at_most, band->least) == Early::proven) {
    return tally.broke(before, after, band->least - *gap.wait_at_most, tell);
  }
  const Lateness how_late = lateness(gap, longest);
  switch (late(how_late)) {
    case Late::no:
      return tally.kept(before);
    case Late::explained:
      return tally.spoiled(before, after, tell);
    case Late::proven:
      return tally.broke(before, after, beyond(how_late), tell);
  }
}

void judge_unusable_end(const Evidence& evidence, const AttemptEvidence& last, const Unusable& what,
                        Tally& tally) {
  const auto tell = [&] {
    return Finding{"",
                   fmt::format("nothing followed {} that {} ({}): {}", describe(last.seen),
                               asking(last), name_of(evidence, last), ending_text(evidence, last)),
                   what.advice};
  };
  switch (afterwards(evidence, last)) {
    case Afterwards::gave_up:
    case Afterwards::hung:
      return tally.broke(last, std::nullopt, tell);
    case Afterwards::unknown:
    case Afterwards::too_soon:
      return tally.spoiled(last, last, tell);
  }
}

}  // namespace

RuleResult judge_minimum_waits(const Evidence& evidence, const std::string& none,
                               const AttemptTest& applies) {
  Tally tally(evidence);
  for (const Gap& gap : evidence.gaps_if(evidence.occurring.asked)) {
    if (applies(*gap.before)) judge_minimum_wait(evidence, gap, tally);
  }
  return tally.result({.expected = "a wait at least as long as the answer asked for",
                       .none = none + ", or nothing came after it"});
}

RuleResult judge_unusable(const Evidence& evidence, const Unusable& what,
                          const AttemptTest& applies) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains_if(evidence.occurring.asked)) {
    for (const Gap& gap : chain.gaps) {
      if (applies(*gap.before)) judge_unusable_gap(evidence, gap, what, tally);
    }
    const AttemptEvidence& last = chain.last();
    const bool is_due =
        applies(last) && may_be_followed(evidence, last) && has_attempts_left(evidence, chain);
    if (is_due) judge_unusable_end(evidence, last, what, tally);
  }
  return tally.result(
      {.expected = "another attempt by the client's own backoff", .none = what.none});
}

}  // namespace retrylab::verify
