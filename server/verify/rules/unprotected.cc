// SPDX-License-Identifier: MIT
#include "server/verify/rules/unprotected.h"

#include <fmt/format.h>

#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify {

namespace {

enum class Repeat { no, likely, certain };

// A time stamp in the body makes no other payment of it. Where nothing but the process tells what
// belongs together, it may be the client's next one.
Repeat repeat_of(const Evidence& evidence, const Gap& gap) {
  if (is_same_request(*gap.before, *gap.after)) return Repeat::certain;
  if (gap.before->record->method != gap.after->record->method) return Repeat::no;
  if (gap.before->record->planned.route != gap.after->record->planned.route) return Repeat::no;
  switch (evidence.operation_of(*gap.before).by) {
    case Grouping::scenario:
    case Grouping::invocation_header:
      return Repeat::certain;
    case Grouping::one_process:
      return Repeat::likely;
    case Grouping::fingerprint:
    case Grouping::fingerprint_and_key:
      break;
  }
  return Repeat::no;
}

}  // namespace

RuleResult judge_unprotected(const Evidence& evidence, const Unprotected& what,
                             const std::function<bool(const AttemptEvidence&)>& applies) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains_if(evidence.occurring.unrepeatable)) {
    for (const Gap& gap : chain.gaps) {
      const AttemptEvidence& before = *gap.before;
      if (before.is_repeatable || !applies(before)) continue;
      const Repeat repeat = repeat_of(evidence, gap);
      if (repeat == Repeat::no) {
        tally.kept(before);
        continue;
      }
      const auto tell = [&] {
        const bool has_useless_key = before.record->header("Idempotency-Key").has_value();
        return Finding{
            "",
            fmt::format("{} repeats a {} {} ({}) after {}", name_of(evidence, *gap.after),
                        before.record->method.str(),
                        has_useless_key ? "whose key this route does not keep" : "without a key",
                        name_of(evidence, before), describe(before.seen)),
            what.advice};
      };
      if (repeat == Repeat::certain) tally.broke(before, *gap.after, std::nullopt, tell);
      if (repeat == Repeat::likely) tally.spoiled(before, *gap.after, tell);
    }
    const AttemptEvidence& last = chain.last();
    if (!last.is_repeatable && applies(last)) tally.kept(last);
  }
  return tally.result({.expected = what.expected, .none = what.none, .is_never = true});
}

}  // namespace retrylab::verify
