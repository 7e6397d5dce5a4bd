// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "client_lib/base/duration_text.h"
#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/timing.h"

namespace retrylab::verify::rules {
namespace {

// From the first byte of the first attempt to the end of the last.
void judge_operation(const Evidence& evidence, const OperationEvidence& operation,
                     const scenario::TimeRange& range, Tally& tally) {
  const AttemptEvidence& first = operation.first();
  const AttemptEvidence& last = operation.last();
  if (!last.seen.until || !last.seen.from) return;
  const Duration longest = *last.seen.until - first.first_byte;
  const auto tell = [&] {
    return Finding{
        "", fmt::format("{} took {}", operation_name(evidence, operation), time_text(longest)),
        range.max && longest > *range.max
            ? "Stop early enough: the deadline counts the sleeps and the last answer."
            : "Wait longer between attempts."};
  };
  const bool is_early = range.min && early(longest, *range.min) == Early::proven;
  if (is_early && was_interrupted(operation)) return tally.spoiled(first, last, tell);
  if (is_early) {
    return tally.broke(first, last, *range.min - longest, tell);
  }
  const Lateness how_late{.wait = *last.seen.from - first.first_byte,
                          .allowed = range.max.value_or(kForever),
                          .lag = evidence.lag_between(first, last)};
  switch (late(how_late)) {
    case Late::no:
      return keep_operation(operation, tally);
    case Late::explained:
      return tally.spoiled(first, last, tell);
    case Late::proven:
      return tally.broke(first, last, how_late.wait - how_late.allowed, tell);
  }
}

RuleResult judge(const Evidence& evidence) {
  const auto& range = evidence.scenario.expect.total_time;
  if (!range) return not_declared();
  Tally tally(evidence);
  for (const OperationEvidence& operation : evidence.operations) {
    judge_operation(evidence, operation, *range, tally);
  }
  std::string expected;
  if (range->min) expected = "at least " + format_duration(*range->min);
  if (range->max) {
    expected += (expected.empty() ? "at most " : ", at most ") + format_duration(*range->max);
  }
  return tally.result({.expected = expected, .none = "no operation came to an end"});
}

}  // namespace

constinit const Rule kTotalTime{
    .id = "total_time",
    .statement = "Time per operation",
    .parameters = "total_time",
    .decision =
        "From the first byte of the first attempt to the end of the last. Too short is proof; too "
        "long only beyond the host's lateness.",
    .judge = judge};

}  // namespace retrylab::verify::rules
