// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

bool is_replayed(const AttemptEvidence& attempt) {
  return attempt.seen.success() && attempt.source == journal::Source::replay;
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Chain& chain :
       evidence.chains_if(evidence.occurring.source(journal::Source::replay))) {
    for (const Gap& gap : chain.gaps) {
      const bool is_repeat =
          is_replayed(*gap.before) && gap.wait_at_most && is_same_request(*gap.before, *gap.after);
      if (!is_repeat) continue;
      tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
        return Finding{"", came_after(evidence, gap) + " that was replayed",
                       "Take a replayed success for the result of the operation."};
      });
    }
    if (is_replayed(chain.last())) tally.kept(chain.last());
  }
  return tally.result(
      {.expected = "no attempt after a replayed success", .none = "no success was replayed"});
}

}  // namespace

constinit const Rule kId9{
    .id = "ID-9",
    .statement = "A replayed answer is accepted as the result",
    .source = "draft-ietf-httpapi-idempotency-key-header §2.6",
    .parameters = "",
    .decision = "Fails when the same request follows a complete 2xx from the key store.",
    .judge = judge};

}  // namespace retrylab::verify::rules
