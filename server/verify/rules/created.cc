// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

using Range = scenario::CountRange;

// What one operation may make, as often as there are operations.
Range times(const Range& range, std::uint64_t operations) {
  Range all = range;
  if (all.min) *all.min *= operations;
  if (all.max) *all.max *= operations;
  return all;
}

using Made = std::vector<const journal::Resource*>;

Made made_by(const Evidence& evidence, const OperationEvidence& operation,
             const std::string& kind) {
  Made made = evidence.resources_of(operation);
  std::erase_if(made, [&](const journal::Resource* one) { return one->kind != kind; });
  return made;
}

// Who made them; the operation's first and last attempt where nobody made any.
std::vector<const AttemptEvidence*> makers(const OperationEvidence& operation, const Made& made) {
  std::vector<const AttemptEvidence*> attempts;
  for (std::size_t i = 0; i < operation.attempts.size(); ++i) {
    const AttemptEvidence& attempt = operation.in_order(i);
    const bool is_maker = std::ranges::any_of(made, [&](const journal::Resource* one) {
      return one->run == attempt.record->run && one->attempt == attempt.record->id;
    });
    if (is_maker) attempts.push_back(&attempt);
  }
  if (attempts.empty()) attempts = {&operation.first(), &operation.last()};
  return attempts;
}

void judge_operation(const Evidence& evidence, const OperationEvidence& operation,
                     const std::string& kind, const Range& range, Tally& tally) {
  const Made made = made_by(evidence, operation, kind);
  if (is_within(range, made.size())) return keep_operation(operation, tally);
  const bool is_too_few = range.min && made.size() < *range.min;
  const auto tell = [&] {
    return Finding{
        fmt::format("{} {} per operation", range_text(range), kind),
        fmt::format("{} in {}", counted(made.size(), kind), operation_name(evidence, operation)),
        is_too_few ? "The operation never took effect: retry it until it does."
                   : "The retries were executed too: send one idempotency key per "
                     "operation, or do not repeat what may have been executed."};
  };
  const bool is_kept_waiting = std::ranges::any_of(
      operation.attempts,
      [](const AttemptEvidence& attempt) { return attempt.kept_waiting > Duration(0); });
  if (is_too_few && (may_be_incomplete(evidence, operation) || is_kept_waiting)) {
    return tally.spoiled(operation.first(), operation.last(), tell);
  }
  tally.broke(makers(operation, made), tell);
}

// The whole run: also what belongs to no operation that is left in the journal.
RuleResult judge_runs(const Evidence& evidence, const std::string& kind, const Range& range) {
  for (const RunEvidence& run : evidence.runs) {
    const auto operations = std::max<std::uint64_t>(1, run.operations.size());
    const Range all = times(range, operations);
    std::vector<AttemptRef> made;
    for (const journal::Resource& one : run.record->resources) {
      if (one.kind == kind) made.push_back({one.run, one.attempt});
    }
    if (is_within(all, made.size())) continue;
    return {.status = Status::fail,
            .expected = fmt::format("{} {} in a run", range_text(all), kind),
            .observed = fmt::format("{} in run {}", counted(made.size(), kind), run.record->number),
            .attempts = std::move(made),
            .advice = "Look in the list of resources who made each."};
  }
  return {.status = Status::pass};
}

RuleResult judge_kind(const Evidence& evidence, const std::string& kind, const Range& range) {
  Tally tally(evidence);
  for (const OperationEvidence& operation : evidence.operations) {
    judge_operation(evidence, operation, kind, range, tally);
  }
  RuleResult result = tally.result({.expected = fmt::format("{} {}", range_text(range), kind),
                                    .none = "there was no operation"});
  if (result.status == Status::fail || evidence.dropped) return result;
  if (result.status == Status::inconclusive && range.min) return result;
  RuleResult whole = judge_runs(evidence, kind, range);
  return whole.status == Status::fail ? whole : result;
}

RuleResult judge(const Evidence& evidence) {
  RuleResult worst = not_declared();
  for (const auto& [kind, range] : evidence.scenario.expect.created) {
    RuleResult result = judge_kind(evidence, kind, range);
    if (weight(result.status) >= weight(worst.status)) worst = std::move(result);
  }
  return worst;
}

}  // namespace

constinit const Rule kCreated{.id = "created",
                              .statement = "Resources made",
                              .parameters = "created: per kind, for one operation",
                              .decision =
                                  "Counts what the server executed: for each operation, and for "
                                  "each run as often as it had operations.",
                              .judge = judge};

}  // namespace retrylab::verify::rules
