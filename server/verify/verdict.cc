// SPDX-License-Identifier: MIT
#include "server/verify/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "server/verify/evidence.h"
#include "server/verify/rules/rules.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify {
namespace {

bool is_plain(const Rule& rule) {
  return rule.source.empty();
}

Take take_for(const Evidence& evidence, const Rule& rule) {
  const auto& disabled = evidence.scenario.expect.disabled_rules;
  if (std::ranges::find(disabled, rule.id) != disabled.end()) return Take::off;
  if (is_plain(rule)) return Take::rule;
  const Take take = take_of(*evidence.settings.profile, rule.id);
  return take == Take::rule && rule.severity == Severity::advice ? Take::advice : take;
}

// Advice never decides a run: neither by being broken nor by being untellable.
void soften(RuleResult& result) {
  if (result.status == Status::fail) result.status = Status::advice;
  if (result.status == Status::inconclusive) result.status = Status::not_applicable;
}

// The id of a rule that has failed and says already what this one would.
std::optional<std::string_view> said_by(const Rule& rule, const std::vector<RuleResult>& before) {
  for (const RuleResult& result : before) {
    const bool is_named = std::ranges::find(rule.yields_to, result.id) != rule.yields_to.end();
    if (is_named && result.status == Status::fail) return result.id;
  }
  return std::nullopt;
}

RuleResult judge(const Evidence& evidence, const Rule& rule,
                 const std::vector<RuleResult>& before) {
  RuleResult result;
  const Take take = take_for(evidence, rule);
  if (take == Take::off) {
    result.observed = fmt::format("not judged by profile {}", evidence.settings.profile->name);
    const auto& disabled = evidence.scenario.expect.disabled_rules;
    if (std::ranges::find(disabled, rule.id) != disabled.end()) {
      result.observed = "turned off by the scenario";
    }
  } else if (const auto other = said_by(rule, before)) {
    result.observed = fmt::format("{} says already what is wrong", *other);
  } else {
    result = rule.judge(evidence);
    if (take == Take::advice) soften(result);
  }
  result.id = rule.id;
  result.statement = rule.statement;
  result.source = rule.source;
  return result;
}

Status verdict_of(const std::vector<RuleResult>& rules) {
  const auto any = [&rules](Status status) {
    return std::ranges::find(rules, status, &RuleResult::status) != rules.end();
  };
  if (any(Status::fail)) return Status::fail;
  return any(Status::inconclusive) ? Status::inconclusive : Status::pass;
}

std::vector<Operation> operations_of(const Evidence& evidence) {
  std::vector<Operation> operations;
  operations.reserve(evidence.operations.size());
  for (const OperationEvidence& from : evidence.operations) {
    Operation& operation = operations.emplace_back();
    operation.run = evidence.runs[from.run].record->number;
    operation.number = from.number;
    operation.name = from.name;
    operation.attempts.reserve(from.attempts.size());
    for (std::size_t i = 0; i < from.attempts.size(); ++i) {
      operation.attempts.push_back(from.in_order(i).ref());
    }
  }
  return operations;
}

std::vector<std::string> notes_of(const Evidence& evidence) {
  std::vector<std::string> notes;
  const std::string& profile = evidence.scenario.expect.profile;
  if (find_profile(profile) == nullptr) {
    notes.push_back(fmt::format("there is no profile \"{}\": judged by careful", profile));
  }
  std::uint64_t dropped = 0;
  std::uint32_t unused = 0;
  for (const RunEvidence& run : evidence.runs) {
    dropped += run.record->dropped_attempts;
    unused = std::max(unused, run.record->steps_unused);
  }
  if (dropped > 0) {
    notes.push_back(fmt::format("the journal was full and dropped {}: raise limits.journal_entries",
                                counted(dropped, "attempt")));
  }
  if (unused > 0) {
    notes.push_back(fmt::format("{} of the script {} never used", counted(unused, "step"),
                                unused == 1 ? "was" : "were"));
  }
  return notes;
}

}  // namespace

Verdict verify(const scenario::Scenario& scenario, std::span<const journal::Run> runs) {
  const Evidence evidence(scenario, runs);
  Verdict verdict;
  for (const Rule* rule : all_rules()) {
    verdict.rules.push_back(judge(evidence, *rule, verdict.rules));
  }
  verdict.status = verdict_of(verdict.rules);
  verdict.profile = evidence.settings.profile->name;
  verdict.grouping = evidence.grouping;
  verdict.operations = operations_of(evidence);
  verdict.worst_lag = evidence.worst_lag;
  verdict.notes = notes_of(evidence);
  return verdict;
}

std::string_view word(Status status) {
  switch (status) {
    case Status::pass:
      return "pass";
    case Status::fail:
      return "fail";
    case Status::inconclusive:
      return "inconclusive";
    case Status::advice:
      return "advice";
    case Status::not_applicable:
      return "not_applicable";
  }
  return "";
}

}  // namespace retrylab::verify
