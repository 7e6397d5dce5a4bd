// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

void judge_gap(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const auto least = binding_wait(evidence, *gap.before);
  if (!least || !gap.wait_at_most) return;
  const auto late_by = evidence.settings.retry_after.late;
  const auto tell = [&] {
    std::string expected = fmt::format("a wait of at least {}", time_text(*least));
    if (late_by) expected += fmt::format(", at most {}", time_text(*least + *late_by));
    return Finding{expected, came_after(evidence, gap), likely_mistake(evidence, gap, *least)};
  };
  if (early(*gap.wait_at_most, *least) == Early::proven) {
    return tally.broke(*gap.before, *gap.after, *least - *gap.wait_at_most, tell);
  }
  const Lateness how_late = lateness(gap, late_by ? *least + *late_by : kForever);
  switch (late(how_late)) {
    case Late::no:
      return tally.kept(*gap.before);
    case Late::explained:
      return tally.spoiled(*gap.before, *gap.after, tell);
    case Late::proven:
      return tally.broke(*gap.before, *gap.after, beyond(how_late), tell);
  }
}

RuleResult judge(const Evidence& evidence) {
  const scenario::ExpectRetryAfter& expect = evidence.settings.retry_after;
  const bool is_declared = expect.late || expect.kind == scenario::ExpectRetryAfter::Kind::clamp;
  if (!is_declared) return not_declared();
  Tally tally(evidence);
  for (const Gap& gap : evidence.gaps) {
    if (asks_to_wait(*gap.before)) judge_gap(evidence, gap, tally);
  }
  return tally.result({.expected = "Retry-After kept as declared",
                       .none = "no answer asked for a wait, or nothing came after it"});
}

}  // namespace

constinit const Rule kRetryAfter{
    .id = "retry_after",
    .statement = "Retry-After is kept as declared",
    .parameters = "retry_after: clamp, late",
    .decision =
        "Each wait is at least what was asked (or the clamp), and no later than `late` allows. "
        "Without either, RA-1, RA-3 and RA-4 are all there is to judge.",
    .judge = judge};

}  // namespace retrylab::verify::rules
