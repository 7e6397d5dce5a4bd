// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  const auto expected = evidence.scenario.expect.last_status;
  if (!expected) return not_declared();
  Tally tally(evidence);
  for (const OperationEvidence& operation : evidence.operations) {
    const AttemptEvidence& last = operation.last();
    if (last.seen.status == *expected) {
      keep_operation(operation, tally);
      continue;
    }
    const auto tell = [&] {
      return Finding{"",
                     fmt::format("{} ended with {} ({})", operation_name(evidence, operation),
                                 describe(last.seen), name_of(evidence, last)),
                     was_interrupted(operation) ? "Let the run come to its end."
                                                : "Look at why the client stopped there."};
    };
    if (was_interrupted(operation)) {
      tally.spoiled(operation.first(), last, tell);
    } else {
      tally.broke(last, std::nullopt, tell);
    }
  }
  return tally.result(
      {.expected = fmt::format("{} at the end", *expected), .none = "there was no operation"});
}

}  // namespace

constinit const Rule kLastStatus{
    .id = "last_status",
    .statement = "The status of the last answer",
    .parameters = "last_status",
    .decision = "The status that the client can have read on the last attempt of each operation.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
