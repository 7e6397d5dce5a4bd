// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/timing.h"

namespace retrylab::verify::rules {
namespace {

// The client cannot have known an outcome before it sent the next attempt.
void judge_gap(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const AttemptEvidence& before = *gap.before;
  const AttemptEvidence& after = *gap.after;
  if (gap.wait_at_most || gap.is_resend) return tally.kept(before);
  const auto tell = [&] {
    const Duration since = after.first_byte - before.first_byte;
    return Finding{
        "",
        fmt::format("{} came {} after {}, which was still waiting for its answer",
                    name_of(evidence, after), time_text(since), name_of(evidence, before)),
        "Wait for the outcome of an attempt, or cancel it, before making the next."};
  };
  // It never closed: it may have given up without saying so.
  if (!before.seen.from) return tally.spoiled(before, after, tell);
  const Duration overlap = *before.seen.from - after.first_byte;
  const Duration lag = evidence.lags[evidence.operation_of(before).run].explains(after.first_byte,
                                                                                 *before.seen.from);
  const bool closed_late = before.seen.kind == Seen::Kind::left && overlap <= kLateTolerance + lag;
  if (closed_late) return tally.kept(before);
  // It may have given up while this process stood still and could not see it.
  if (overlap <= lag) return tally.spoiled(before, after, tell);
  tally.broke(before, after, overlap, tell);
}

RuleResult judge(const Evidence& evidence) {
  if (evidence.scenario.expect.hedging_delay) {
    return {.status = Status::not_applicable, .observed = "hedging is declared (AT-6)"};
  }
  Tally tally(evidence);
  for (const Gap& gap : evidence.gaps) {
    if (is_same_request(*gap.before, *gap.after)) judge_gap(evidence, gap, tally);
  }
  return tally.result(
      {.expected = "one attempt at a time", .none = "no operation had more than one attempt"});
}

}  // namespace

constinit const Rule kAt5{
    .id = "AT-5",
    .statement = "Attempts of an operation do not overlap",
    .source = "RULES AT-5; gRPC A6 (hedging is another policy)",
    .parameters = "",
    .decision =
        "Fails when an attempt arrives before the one before it was answered, cut or abandoned. "
        "Inconclusive when the client never closed that one.",
    .judge = judge};

}  // namespace retrylab::verify::rules
