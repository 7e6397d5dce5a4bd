// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/timing.h"

namespace retrylab::verify::rules {
namespace {

void judge_operation(const Evidence& evidence, const OperationEvidence& operation,
                     Duration deadline, Tally& tally) {
  const AttemptEvidence& first = operation.first();
  for (std::size_t i = 1; i < operation.attempts.size(); ++i) {
    const AttemptEvidence& attempt = operation.in_order(i);
    const Duration since = attempt.first_byte - first.first_byte;
    const auto tell = [&] {
      return Finding{
          fmt::format("no attempt after {}", time_text(deadline)),
          fmt::format("{} came {} after the first", name_of(evidence, attempt), time_text(since)),
          "Check the deadline after the sleep too: do not start what cannot end in "
          "time."};
    };
    const Lateness how_late{
        .wait = since, .allowed = deadline, .lag = evidence.lag_between(first, attempt)};
    switch (late(how_late)) {
      case Late::no:
        tally.kept(first);
        break;
      case Late::explained:
        tally.spoiled(first, attempt, tell);
        break;
      case Late::proven:
        tally.broke(first, attempt, since - deadline, tell);
        break;
    }
  }
  if (operation.attempts.size() == 1) tally.kept(first);
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const auto deadline = evidence.settings.deadline;
  if (deadline) {
    for (const OperationEvidence& operation : evidence.operations) {
      judge_operation(evidence, operation, *deadline, tally);
    }
  }
  return tally.result({.expected = deadline
                                       ? fmt::format("no attempt after {}", time_text(*deadline))
                                       : "a deadline",
                       .none = deadline ? "there was no operation"
                                        : "no deadline is declared: say total_time.max"});
}

}  // namespace

constinit const Rule kAt3{
    .id = "AT-3",
    .statement = "No attempt starts after the deadline of its operation",
    .source = "RULES AT-3; the SRE book, chapter 22",
    .parameters = "total_time.max",
    .decision = "Fails when an attempt arrives later than the host's lateness explains.",
    .judge = judge};

}  // namespace retrylab::verify::rules
