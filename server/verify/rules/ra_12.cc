// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// An attempt that came too early did not come because it was asked to (RA-1 to RA-10), and those
// that were refused for it are no decision about the limit.
bool was_waited_for(const Evidence& evidence, const Gap& gap) {
  const auto bound = binding_wait(evidence, *gap.before);
  return !bound || !gap.wait_at_most || early(*gap.wait_at_most, *bound) != Early::proven;
}

bool were_all_waited_for(const Evidence& evidence, std::span<const Gap> gaps) {
  return std::ranges::all_of(gaps, [&](const Gap& gap) {
    return !gap.before->asked.valid() || was_waited_for(evidence, gap);
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const auto limit = evidence.settings.attempts_max;
  for (const Chain& chain : evidence.chains) {
    if (!limit || chain.gaps.empty()) continue;
    const auto last_allowed = static_cast<std::size_t>(*limit);
    const bool is_over = chain.tries() > last_allowed && chain.gaps.size() >= last_allowed;
    if (!is_over) {
      if (chain.gaps.back().before->asked.valid()) tally.kept(chain.first());
      continue;
    }
    const Gap& gap = chain.gaps[last_allowed - 1];
    if (!gap.before->asked.valid()) continue;  // AT-1
    if (!were_all_waited_for(evidence, chain.gaps.first(last_allowed))) continue;
    tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
      return Finding{fmt::format("at most {}", counted(*limit, "attempt")),
                     came_after(evidence, gap),
                     "Retry-After says when, not how often: the limit to attempts stands."};
    });
  }
  return tally.result(
      {.expected = "no more attempts than declared, whatever Retry-After says",
       .none = limit ? "no answer asked for a wait" : "no limit is declared: say attempts.max"});
}

}  // namespace

constinit const Rule kRa12{
    .id = "RA-12",
    .statement = "Retry-After does not lift the limit to attempts",
    .source = "RULES RA-12",
    .parameters = "attempts.max",
    .decision =
        "Fails when the attempt beyond the limit follows an answer with Retry-After and every wait "
        "up to it was kept; one that came too early was not asked for, and may be refused for that "
        "alone (RA-1).",
    .judge = judge};

}  // namespace retrylab::verify::rules
