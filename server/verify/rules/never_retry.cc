// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  const auto& statuses = evidence.settings.never_retry.statuses;
  if (statuses.empty()) return not_declared();
  const auto applies = [&](const AttemptEvidence& attempt) {
    return std::ranges::count(statuses, attempt.seen.status) > 0;
  };
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains) {
    for (const Gap& gap : chain.gaps) {
      if (!applies(*gap.before)) continue;
      tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
        return Finding{"", came_after(evidence, gap),
                       "Take this answer for final: the scenario says so."};
      });
    }
    if (applies(chain.last())) tally.kept(chain.last());
  }
  return tally.result({.expected = fmt::format("no retry after {}", fmt::join(statuses, ", ")),
                       .none = "no answer had such a status",
                       .is_never = true});
}

}  // namespace

constinit const Rule kNeverRetry{.id = "never_retry",
                                 .statement = "Statuses that are not retried",
                                 .parameters = "never_retry.statuses",
                                 .decision = "Fails on one attempt after such an answer.",
                                 .judge = judge};

}  // namespace retrylab::verify::rules
