// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

bool is_early(const AttemptEvidence& attempt) {
  return attempt.record->header("Early-Data").value_or("") == "1";
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains_if(evidence.occurring.status(425))) {
    for (const Gap& gap : chain.gaps) {
      if (gap.before->seen.status != 425) continue;
      if (!is_early(*gap.after)) {
        tally.kept(*gap.before);
        continue;
      }
      tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
        return Finding{"", fmt::format("{} was sent early again", name_of(evidence, *gap.after)),
                       "Repeat after a 425 only when the handshake is complete."};
      });
    }
    if (chain.last().seen.status == 425) tally.kept(chain.last());
  }
  return tally.result(
      {.expected = "no repeat in early data after a 425", .none = "no answer was 425"});
}

}  // namespace

constinit const Rule kCls8{.id = "CLS-8",
                           .statement = "After a 425 nothing is sent early again",
                           .source = "RFC 8470 §3, §5.2",
                           .parameters = "",
                           .decision =
                               "Advice when the repeat carries Early-Data: 1. Without early data, "
                               "repeating and giving up are both right.",
                           .severity = Severity::advice,
                           .judge = judge};

}  // namespace retrylab::verify::rules
