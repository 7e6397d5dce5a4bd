// SPDX-License-Identifier: MIT
#include "server/verify/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "client_lib/base/check.h"
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

std::string why_off(const Evidence& evidence, const Rule& rule) {
  const auto& disabled = evidence.scenario.expect.disabled_rules;
  if (std::ranges::find(disabled, rule.id) != disabled.end()) return "turned off by the scenario";
  return fmt::format("not judged by profile {}", evidence.settings.profile->name);
}

// Advice never decides a run: neither by being broken nor by being untellable.
void soften(RuleResult& result) {
  if (result.status == Status::fail) result.status = Status::advice;
  if (result.status == Status::inconclusive) result.status = Status::not_applicable;
}

// Operations that this host kept waiting, and the attempt that was.
class KeptWaiting {
 public:
  explicit KeptWaiting(const Evidence& evidence) : evidence_(evidence) {
    for (const AttemptEvidence& attempt : evidence.attempts) {
      if (attempt.kept_waiting == Duration(0)) continue;
      if (worst_ == nullptr || worst_->kept_waiting < attempt.kept_waiting) worst_ = &attempt;
      for (const AttemptEvidence& one : evidence.operation_of(attempt).attempts) {
        attempts_.emplace(one.record->run, one.record->id);
      }
    }
  }

  // Every attempt that shows it belongs to such an operation.
  bool explain(const RuleResult& result) const {
    return worst_ != nullptr && std::ranges::all_of(result.attempts, [this](AttemptRef ref) {
             return attempts_.contains({ref.run, ref.attempt});
           });
  }

  void excuse(RuleResult& result) const {
    result.status = Status::inconclusive;
    result.observed += fmt::format("; but this host was {} late with the answer to {}",
                                   time_text(worst_->kept_waiting), name_of(evidence_, *worst_));
    result.advice = "Run it again on a host that is less busy.";
  }

 private:
  const Evidence& evidence_;
  const AttemptEvidence* worst_ = nullptr;
  std::set<std::pair<std::uint32_t, journal::AttemptId>> attempts_;
};

// Judges every rule once.
class Judge {
 public:
  Judge(const Evidence& evidence, const InParallel& in_parallel)
      : evidence_(evidence), found_(all_rules().size()), results_(all_rules().size()) {
    Tasks tasks;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (take_for(evidence_, *all_rules()[i]) == Take::off) continue;
      tasks.emplace_back([this, i] { found_[i] = all_rules()[i]->judge(evidence_); });
    }
    in_parallel(tasks);
  }

  std::vector<RuleResult> all() {
    std::vector<RuleResult> results;
    for (std::size_t i = 0; i < results_.size(); ++i) results.push_back(result_of(i).result);
    return results;
  }

 private:
  struct Judged {
    RuleResult result;
    bool is_broken = false;  // even when that is only advice
  };

  const Judged& result_of(std::size_t index) {
    if (!results_[index]) results_[index] = conclude(index);
    return *results_[index];
  }

  // The id of a rule that is broken and says already what this one would.
  std::optional<std::string_view> said_by(const Rule& rule) {
    for (const std::string_view id : rule.yields_to) {
      const auto rules = all_rules();
      const auto found = std::ranges::find(rules, id, &Rule::id);
      CHECK(found != rules.end());
      if (result_of(static_cast<std::size_t>(found - rules.begin())).is_broken) return id;
    }
    return std::nullopt;
  }

  // What becomes of what a rule found by itself.
  Judged conclude(std::size_t index) {
    const Rule& rule = *all_rules()[index];
    Judged judged;
    RuleResult& result = judged.result;
    const Take take = take_for(evidence_, rule);
    if (take == Take::off) {
      result.observed = why_off(evidence_, rule);
    } else if (const auto other = said_by(rule)) {
      result.observed = fmt::format("{} says already what is wrong", *other);
    } else {
      result = std::move(found_[index]);
      if (result.status == Status::fail && rule.is_of_progress) excuse_where_kept_waiting(result);
      judged.is_broken = result.status == Status::fail;
      if (take == Take::advice) soften(result);
    }
    result.id = rule.id;
    result.statement = rule.statement;
    result.source = rule.source;
    return judged;
  }

  void excuse_where_kept_waiting(RuleResult& result) const {
    const KeptWaiting kept_waiting(evidence_);
    if (kept_waiting.explain(result)) kept_waiting.excuse(result);
  }

  const Evidence& evidence_;
  std::vector<RuleResult> found_;  // by each rule, whatever the others found
  std::vector<std::optional<Judged>> results_;
};

// A rule that is advice does not become a demand.
void require_statistics(std::vector<RuleResult>& rules, const Evidence& evidence) {
  for (RuleResult& result : rules) {
    if (!result.lacks_samples) continue;
    if (take_for(evidence, *find_rule(result.id)) == Take::rule) {
      result.status = Status::inconclusive;
    }
  }
}

Status verdict_of(const std::vector<RuleResult>& rules) {
  const auto any = [&rules](Status status) {
    return std::ranges::find(rules, status, &RuleResult::status) != rules.end();
  };
  if (any(Status::fail)) return Status::fail;
  return any(Status::inconclusive) ? Status::inconclusive : Status::pass;
}

Operation operation_of(const Evidence& evidence, const OperationEvidence& from) {
  Operation operation;
  operation.run = evidence.runs[from.run].record->number;
  operation.number = from.number;
  operation.name = from.name;
  operation.attempts.reserve(from.attempts.size());
  for (std::size_t i = 0; i < from.attempts.size(); ++i) {
    operation.attempts.push_back(from.in_order(i).ref());
  }
  return operation;
}

std::vector<Operation> operations_of(const Evidence& evidence, const InParallel& in_parallel) {
  constexpr std::size_t kPerTask = 4096;
  std::vector<Operation> operations(evidence.operations.size());
  Tasks tasks;
  for (std::size_t first = 0; first < operations.size(); first += kPerTask) {
    tasks.emplace_back([&, first] {
      const std::size_t last = std::min(first + kPerTask, operations.size());
      for (std::size_t i = first; i < last; ++i) {
        operations[i] = operation_of(evidence, evidence.operations[i]);
      }
    });
  }
  in_parallel(tasks);
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

Verdict verify(const scenario::Scenario& scenario, std::span<const journal::Run> runs,
               Statistics statistics, const InParallel& in_parallel) {
  const Evidence evidence(scenario, runs, in_parallel);
  Verdict verdict;
  verdict.rules = Judge(evidence, in_parallel).all();
  if (statistics == Statistics::required) require_statistics(verdict.rules, evidence);
  verdict.status = verdict_of(verdict.rules);
  verdict.profile = evidence.settings.profile->name;
  verdict.grouping = evidence.grouping;
  verdict.operations = operations_of(evidence, in_parallel);
  verdict.worst_lag = evidence.worst_lag;
  verdict.notes = notes_of(evidence);
  return verdict;
}

bool may_end_otherwise(const Verdict& verdict) {
  return std::ranges::any_of(verdict.rules, [](const RuleResult& rule) {
    return rule.status == Status::inconclusive && !rule.lacks_samples;
  });
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
