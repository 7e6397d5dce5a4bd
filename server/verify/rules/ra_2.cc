// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Envoy adds up to half of what was asked.
constexpr std::int64_t kMostThousandths = 1500;

void judge_gap(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const Duration own = ceiling(evidence.settings, gap.retry).value_or(Duration(0));
  const Duration allowed =
      std::min(std::max(gap.before->asked.wait, own), kHugeWait) * kMostThousandths / 1000;
  const auto tell = [&] {
    return Finding{fmt::format("at most {}", time_text(allowed)), came_after(evidence, gap),
                   "Come back soon after the time that was asked for: the server is ready then."};
  };
  const Lateness how_late = lateness(gap, allowed);
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
  Tally tally(evidence);
  for (const Gap& gap : evidence.gaps_if(evidence.occurring.asked)) {
    if (asks_to_wait(*gap.before) && gap.wait_at_least) judge_gap(evidence, gap, tally);
  }
  return tally.result({.expected = "at most half as long again as the answer asked for",
                       .none = "no answer asked for a wait, or nothing came after it"});
}

}  // namespace

constinit const Rule kRa2{
    .id = "RA-2",
    .statement = "A Retry-After is not overslept by much",
    .source = "RFC 9110 §10.2.3",
    .parameters = "backoff (its ceiling counts too)",
    .decision =
        "Advice when the wait is more than one and a half times what was asked, or what "
        "the client's own backoff allows.",
    .severity = Severity::advice,
    .judge = judge};

}  // namespace retrylab::verify::rules
