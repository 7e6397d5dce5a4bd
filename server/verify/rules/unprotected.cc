// SPDX-License-Identifier: MIT
#include "server/verify/rules/unprotected.h"

#include <fmt/format.h>

#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify {

RuleResult judge_unprotected(const Evidence& evidence, const Unprotected& what,
                             const std::function<bool(const AttemptEvidence&)>& applies) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains_if(evidence.occurring.unrepeatable)) {
    for (const Gap& gap : chain.gaps) {
      const AttemptEvidence& before = *gap.before;
      if (before.is_repeatable || !applies(before)) continue;
      if (!is_same_request(before, *gap.after)) {
        tally.kept(before);
        continue;
      }
      tally.broke(before, *gap.after, std::nullopt, [&] {
        const bool has_useless_key = before.record->header("Idempotency-Key").has_value();
        return Finding{
            "",
            fmt::format("{} repeats a {} {} ({}) after {}", name_of(evidence, *gap.after),
                        before.record->method,
                        has_useless_key ? "whose key this route does not keep" : "without a key",
                        name_of(evidence, before), describe(before.seen)),
            what.advice};
      });
    }
    const AttemptEvidence& last = chain.last();
    if (!last.is_repeatable && applies(last)) tally.kept(last);
  }
  return tally.result({.expected = what.expected, .none = what.none, .is_never = true});
}

}  // namespace retrylab::verify
