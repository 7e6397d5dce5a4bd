// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  if (is_retried(evidence.settings, 500)) {
    return {.status = Status::not_applicable, .observed = "this profile retries 500 (CLS-1)"};
  }
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains_if(evidence.occurring.status(500))) {
    for (const Gap& gap : chain.gaps) {
      if (gap.before->seen.status != 500) continue;
      tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
        return Finding{"", came_after(evidence, gap),
                       "A 500 is often an error that a repeat meets again; retry it where the "
                       "server's author says so."};
      });
    }
    if (chain.last().seen.status == 500) tally.kept(chain.last());
  }
  return tally.result(
      {.expected = "no retry after 500, unless it is declared", .none = "no answer was 500"});
}

}  // namespace

constinit const Rule kCls4{
    .id = "CLS-4",
    .statement = "500 is retried only where that is declared",
    .source = "RFC 9110 §15.6.1; AWS SDKs retry it, careful clients do not",
    .parameters = "profile",
    .decision = "Advice when a 500 is retried and the profile does not say so.",
    .severity = Severity::advice,
    .judge = judge};

}  // namespace retrylab::verify::rules
