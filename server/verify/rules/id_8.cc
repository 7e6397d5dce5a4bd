// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

bool has_effect(const AttemptEvidence& attempt) {
  return attempt.took_effect &&
         (!is_idempotent_method(attempt.record->method) || !attempt.record->resource.empty());
}

void judge_operation(const Evidence& evidence, const OperationEvidence& operation, Tally& tally) {
  const AttemptEvidence* once = nullptr;
  const AttemptEvidence* again = nullptr;
  std::size_t count = 0;
  for (std::size_t i = 0; i < operation.attempts.size(); ++i) {
    const AttemptEvidence& attempt = operation.in_order(i);
    if (!has_effect(attempt)) continue;
    ++count;
    (once == nullptr ? once : again) = &attempt;
  }
  if (once == nullptr) return;
  if (again == nullptr) return tally.kept(*once);
  tally.broke(*once, *again, std::nullopt, [&] {
    return Finding{"one effect per operation",
                   fmt::format("it was executed {}, by {} and {}", counted(count, "time"),
                               name_of(evidence, *once), name_of(evidence, *again)),
                   "Send the key of the first attempt with every retry, so that the server can "
                   "tell it has done this already."};
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const OperationEvidence& operation : evidence.operations) {
    const bool is_judged =
        operation.by != Grouping::fingerprint_and_key && operation.first().has_key;
    if (is_judged) judge_operation(evidence, operation, tally);
  }
  return tally.result({.expected = "one effect per operation, however often it was sent",
                       .none = "no operation with a key was executed"});
}

}  // namespace

constinit const Rule kId8{
    .id = "ID-8",
    .statement = "An operation with a key takes effect once, though its answer was lost",
    .source = "draft-ietf-httpapi-idempotency-key-header §2.6",
    .parameters = "route.creates, step.executes",
    .decision =
        "Counts what the server executed, not what the client saw; fails on the second effect. "
        "Never judged where the key was needed to tell operations apart.",
    .judge = judge};

}  // namespace retrylab::verify::rules
