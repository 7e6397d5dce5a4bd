// SPDX-License-Identifier: MIT
#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/herd.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

// Where no base is declared: a second is little enough to spread over.
constexpr Duration kUnknownRange = std::chrono::seconds(1);

// Who came after an answer that asked to wait, and how long after that wait.
std::vector<Return> returns_of(const RunEvidence& run) {
  std::vector<Return> returns;
  for (const OperationEvidence& operation : run.operations) {
    for (const Chain& chain : operation.chains) {
      for (const Gap& gap : chain.gaps) {
        if (!asks_to_wait(*gap.before) || !gap.wait_at_most) continue;
        const Instant due = *gap.before->seen.from + gap.before->asked.wait;
        const auto after = std::chrono::duration<double>(gap.after->first_byte - due);
        returns.push_back({after.count(), &gap});
      }
    }
  }
  return returns;
}

RuleResult judge(const Evidence& evidence) {
  const Duration range = ceiling(evidence.settings, 1).value_or(kUnknownRange);
  RuleResult worst{.status = Status::not_applicable,
                   .observed = "needs 20 clients that were asked to wait at one instant"};
  if (!evidence.occurring.asked) return worst;
  for (const RunEvidence& run : evidence.runs) {
    const std::vector<Return> returns = returns_of(run);
    if (returns.empty()) continue;
    const Instant first = *returns.front().gap->before->seen.from;
    const bool is_one_instant = std::ranges::all_of(returns, [&](const Return& one) {
      const Duration apart = *one.gap->before->seen.from - first;
      return apart < range / 10 && apart > -range / 10;
    });
    if (!is_one_instant) continue;
    RuleResult result = judge_spread(returns, std::chrono::duration<double>(range).count(),
                                     "Add jitter to a Retry-After that many clients share.");
    if (weight(result.status) > weight(worst.status)) worst = std::move(result);
  }
  return worst;
}

}  // namespace

constinit const Rule kRa14{
    .id = "RA-14",
    .statement = "After a common Retry-After clients do not come back at one instant",
    .source = "draft-ietf-httpapi-ratelimit-headers, security considerations",
    .parameters = "backoff.base; else a second",
    .decision =
        "Needs 20 clients that were asked at one instant. Advice when a tenth of the first ceiling "
        "has more of them than chance puts there.",
    .severity = Severity::advice,
    .judge = judge};

}  // namespace retrylab::verify::rules
