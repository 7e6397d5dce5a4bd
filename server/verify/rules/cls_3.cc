// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// On another connection so soon after the answer, both may have crossed on the wire.
constexpr Duration kCrossing = std::chrono::milliseconds(5);

// A replayed success is ID-9's. 202 and a safe request that is told to come back later are polled.
bool is_final(const AttemptEvidence& attempt) {
  if (!attempt.seen.success() || attempt.source == journal::Source::replay) return false;
  const bool is_polled = attempt.asked.valid() && is_safe_method(attempt.record->method);
  return attempt.seen.status != 202 && !is_polled;
}

// What had been got is no longer good: a token is fetched again after a 401.
bool is_needed_again(const Evidence& evidence, const AttemptEvidence& before,
                     const AttemptEvidence& after) {
  return std::ranges::any_of(
      evidence.operation_of(before).attempts, [&](const AttemptEvidence& one) {
        const bool is_between = one.number > before.number && one.number < after.number;
        return is_between && (one.seen.status == 401 || one.seen.status == 403);
      });
}

void judge_gap(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const AttemptEvidence& before = *gap.before;
  const AttemptEvidence& after = *gap.after;
  if (!is_same_request(before, after)) return tally.kept(before);
  if (is_needed_again(evidence, before, after)) return tally.kept(before);
  if (!gap.wait_at_most) return;  // sent before the answer: not because of it (AT-5)
  const auto tell = [&] {
    return Finding{"",
                   fmt::format("{} repeats a request that succeeded: it came {} after {} ({})",
                               name_of(evidence, after), time_text(*gap.wait_at_most),
                               describe(before.seen), name_of(evidence, before)),
                   "Stop at the first success; every 2xx is one."};
  };
  const bool is_new_connection = before.connection != after.connection;
  if (is_new_connection && *gap.wait_at_most < kCrossing) return tally.spoiled(before, after, tell);
  tally.broke(before, after, std::nullopt, tell);
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains) {
    for (const Gap& gap : chain.gaps) {
      if (is_final(*gap.before)) judge_gap(evidence, gap, tally);
    }
    if (is_final(chain.last())) tally.kept(chain.last());
  }
  return tally.result({.expected = "no repeat of a request that succeeded",
                       .none = "no attempt succeeded",
                       .is_never = true});
}

}  // namespace

constinit const Rule kCls3{
    .id = "CLS-3",
    .statement = "A request that succeeded is not sent again",
    .source = "RFC 9110 §9.2.2",
    .parameters = "",
    .decision =
        "Fails on one repeat after a complete 2xx. Not for 202, nor for safe requests "
        "that were answered with Retry-After: that is polling. Nor where another request of the "
        "operation got a 401 or 403 meanwhile: a token is fetched again.",
    .judge = judge};

}  // namespace retrylab::verify::rules
