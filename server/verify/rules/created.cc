// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>
#include <unordered_map>

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

void judge_operation(const Evidence& evidence, const OperationEvidence& operation,
                     const std::string& kind, const Range& range, Tally& tally) {
  const auto& resources = evidence.resources_of(operation);
  std::vector<const journal::Resource*> made;
  for (const journal::Resource* resource : resources) {
    if (resource->kind == kind) made.push_back(resource);
  }
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
  if (is_too_few && evidence.dropped) {
    return tally.spoiled(operation.first(), operation.last(), tell);
  }
  tally.broke(operation.first(), operation.last(), std::nullopt, tell);
}

// The whole run: also what belongs to no operation that is left in the journal.
RuleResult judge_runs(const Evidence& evidence, const std::string& kind, const Range& range) {
  for (const RunEvidence& run : evidence.runs) {
    const auto operations = std::max<std::uint64_t>(1, run.operations.size());
    const Range all = times(range, operations);
    std::uint64_t count = 0;
    for (const journal::Resource& one : run.record->resources) count += one.kind == kind ? 1U : 0U;
    if (is_within(all, count)) continue;
    return {.status = Status::fail,
            .expected = fmt::format("{} {} in a run", range_text(all), kind),
            .observed = fmt::format("{} in run {}", counted(count, kind), run.record->number),
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
