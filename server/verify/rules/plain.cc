// SPDX-License-Identifier: MIT
#include "server/verify/rules/plain.h"

#include <algorithm>

#include <fmt/format.h>

#include "server/verify/rules/words.h"

namespace retrylab::verify {
namespace {

std::string observed_text(const Evidence& evidence, const RunEvidence& run, const RunCount& what,
                          std::uint64_t count) {
  std::string text = (count == 0 ? fmt::format("no {}", what.noun) : counted(count, what.noun));
  text += what.of;
  if (evidence.runs.size() > 1) text += fmt::format(" in run {}", run.record->number);
  return text;
}

std::string excuse_advice(const RunEvidence& evidence) {
  const journal::Run& run = *evidence.record;
  if (was_interrupted(evidence)) return "Let the run come to its end.";
  return run.is_cut ? "The journal is cut off: judge a whole one."
                    : "Raise limits.journal_entries: attempts were dropped.";
}

}  // namespace

RuleResult not_declared() {
  return {.status = Status::not_applicable, .observed = "not declared"};
}

int weight(Status status) {
  switch (status) {
    case Status::not_applicable:
      return 0;
    case Status::pass:
      return 1;
    case Status::advice:
      return 2;
    case Status::inconclusive:
      return 3;
    case Status::fail:
      return 4;
  }
  return 0;
}

void keep_operation(const OperationEvidence& operation, Tally& tally) {
  for (const AttemptEvidence& attempt : operation.attempts) {
    if (attempt.seen.spoiled) return tally.kept(attempt);
  }
  tally.kept(operation.first());
}

bool was_interrupted(const OperationEvidence& operation) {
  return operation.client != nullptr &&
         operation.client->outcome == journal::ClientEnd::Outcome::interrupted;
}

bool was_interrupted(const RunEvidence& run) {
  return std::ranges::any_of(run.record->clients, [](const journal::ClientEnd& client) {
    return client.outcome == journal::ClientEnd::Outcome::interrupted;
  });
}

bool may_be_incomplete(const Evidence& evidence, const OperationEvidence& operation) {
  const AttemptEvidence& last = operation.last();
  if (evidence.dropped || !last.seen.until) return true;
  if (was_interrupted(operation)) return !last.seen.success();
  if (operation.client != nullptr || last.seen.success()) return false;
  const auto ended = evidence.runs[operation.run].record->ended;
  return !ended || *ended - *last.seen.until < longest_wait(evidence.settings, last.number);
}

RuleResult judge_run_counts(const Evidence& evidence,
                            const std::optional<scenario::CountRange>& range, const RunCount& what,
                            const std::function<std::uint64_t(const RunEvidence&)>& count) {
  if (!range) return not_declared();
  RuleResult result{.status = Status::pass,
                    .expected = fmt::format("{} {}{}", range_text(*range), what.noun, what.of)};
  for (const RunEvidence& run : evidence.runs) {
    const std::uint64_t number = count(run);
    const bool is_less =
        (run.record->dropped_attempts > 0 && !what.is_complete) || run.record->is_cut;
    const bool is_too_many = range->max && number > *range->max;
    const bool is_right = is_within(*range, number);
    if (is_right && result.observed.empty()) {
      result.observed = observed_text(evidence, run, what, number);
    }
    if (is_right && !is_less) continue;
    const bool is_excused = (is_less || was_interrupted(run)) && !is_too_many;
    result.status = is_excused ? Status::inconclusive : Status::fail;
    result.observed = observed_text(evidence, run, what, number);
    result.advice = is_excused ? excuse_advice(run) : std::string(what.advice);
    if (result.status == Status::fail) return result;
  }
  return result;
}

}  // namespace retrylab::verify
