// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

std::size_t tries_of(const OperationEvidence& operation) {
  std::size_t tries = 0;
  for (const Chain& chain : operation.chains) tries += chain.tries();
  return tries;
}

void judge_operation(const Evidence& evidence, const OperationEvidence& operation,
                     const scenario::CountRange& range, Tally& tally) {
  // A retry that came at once may look like a stack's resend: what may be one counts for the
  // client, towards the minimum and not towards the maximum.
  const std::size_t tries = tries_of(operation);
  const bool is_too_many = range.max && tries > *range.max;
  const bool is_too_few = range.min && operation.attempts.size() < *range.min;
  if (!is_too_many && !is_too_few) return keep_operation(operation, tally);
  const std::size_t count = is_too_many ? tries : operation.attempts.size();
  const auto tell = [&] {
    return Finding{
        "", fmt::format("{} in {}", counted(count, "attempt"), operation_name(evidence, operation)),
        is_too_many ? "Stop when the attempts are used up."
                    : "Look at the last attempt: what followed it was no retry."};
  };
  if (is_too_few && may_be_incomplete(evidence, operation)) {
    return tally.spoiled(operation.first(), operation.last(), tell);
  }
  tally.broke(operation.first(), operation.last(), std::nullopt, tell);
}

RuleResult judge(const Evidence& evidence) {
  const auto& range = evidence.scenario.expect.attempts;
  if (!range) return not_declared();
  Tally tally(evidence);
  for (const OperationEvidence& operation : evidence.operations) {
    judge_operation(evidence, operation, *range, tally);
  }
  return tally.result({.expected = range_text(*range) + " attempts per operation",
                       .none = "there was no operation"});
}

}  // namespace

constinit const Rule kAttempts{
    .id = "attempts",
    .statement = "Attempts per operation",
    .parameters = "attempts",
    .decision =
        "Counts the attempts of each operation. What may be a stack's silent resend counts "
        "towards the minimum and not towards the maximum.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
