// SPDX-License-Identifier: MIT
#include "server/audit/scorecard.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "server/audit/grade.h"
#include "server/audit/infer/infer.h"
#include "server/audit/premise.h"

namespace retrylab::audit {
namespace {

using verify::RuleResult;
using verify::Status;
using Outcome = journal::ClientEnd::Outcome;

// A plain expectation that is not met usually repeats what a broken rule says.
bool is_consequence(const Case& one, const RuleResult& rule) {
  return is_plain(rule.id) && rule.status == Status::fail &&
         std::ranges::any_of(one.verdict.rules, [](const RuleResult& other) {
           return other.status == Status::fail && !is_plain(other.id);
         });
}

// Advice on waits that rests on a handful: chance does that too.
bool rests_on_few(const Case& one, const RuleResult& rule) {
  constexpr std::size_t kFew = 10;
  return rule.status == Status::advice && topic_of(rule.id) == Topic::backoff &&
         one.runs.size() < kFew;
}

// What decides, the weightiest first: one violation is proof, and sound evidence outdoes spoiled.
int weight(Status status) {
  switch (status) {
    case Status::fail:
      return 4;
    case Status::advice:
      return 3;
    case Status::pass:
      return 2;
    case Status::inconclusive:
      return 1;
    case Status::not_applicable:
      break;
  }
  return 0;
}

void count(RuleLine& line, Status status) {
  if (status == Status::pass) ++line.kept;
  if (status == Status::fail) ++line.broken;
  if (status == Status::advice) ++line.advised;
  if (status == Status::inconclusive) ++line.untold;
}

void add(RuleLine& line, const Case& one, const RuleResult& rule) {
  count(line, rule.status);
  if (weight(rule.status) < weight(line.status)) return;
  if (weight(rule.status) > weight(line.status)) {
    line.status = rule.status;
    line.scenarios.clear();
    line.evidence = rule.observed;
    line.advice = rule.advice;
  }
  line.scenarios.push_back(one.scenario.name);
}

// Rules in the order of the first verdict, which is that of RULES.md.
class RuleTable {
 public:
  void add(const Case& one) {
    for (const RuleResult& rule : one.verdict.rules) {
      auto [at, is_new] = index_.emplace(rule.id, lines_.size());
      if (is_new) {
        lines_.push_back({.id = rule.id,
                          .statement = rule.statement,
                          .source = rule.source,
                          .topic = topic_of(rule.id)});
      }
      if (rule.status == Status::not_applicable || is_consequence(one, rule)) continue;
      if (rests_on_few(one, rule)) continue;
      audit::add(lines_[at->second], one, rule);
    }
  }

  std::vector<RuleLine> judged() && {
    std::erase_if(lines_,
                  [](const RuleLine& line) { return line.status == Status::not_applicable; });
    return std::move(lines_);
  }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<RuleLine> lines_;
};

std::string client_words(const Case& one) {
  std::size_t hung = 0;
  for (const journal::Run& run : one.runs) {
    hung += static_cast<std::size_t>(
        std::ranges::count(run.clients, Outcome::hung, &journal::ClientEnd::outcome));
  }
  if (hung == 0) return "";
  return hung == one.runs.size()
             ? "hung and was stopped"
             : fmt::format("hung and was stopped in {} of {} runs", hung, one.runs.size());
}

ScenarioLine line_of(const Case& one, const Findings& findings) {
  ScenarioLine line{.name = one.scenario.name,
                    .about = one.scenario.about,
                    .runs = one.runs.size(),
                    .client = client_words(one),
                    .command = one.command};
  if (auto unmet = unmet_premise(one, findings)) {
    line.reason = std::move(*unmet);
    return line;
  }
  line.status = one.verdict.status;
  for (const RuleResult& rule : one.verdict.rules) {
    if (line.status != Status::pass && rule.status == line.status) line.rules.push_back(rule.id);
  }
  return line;
}

// Nothing fair can be said of a client that was stopped in its start so often.
bool is_mostly_unheard(std::span<const Case> cases) {
  const auto unheard = std::ranges::count_if(cases, [](const Case& one) {
    return std::ranges::any_of(one.runs, was_stopped_before_it_began);
  });
  return 3 * unheard > std::ssize(cases);
}

Status status_of(std::span<const ScenarioLine> scenarios) {
  const auto any = [scenarios](Status status) {
    return std::ranges::find(scenarios, status, &ScenarioLine::status) != scenarios.end();
  };
  if (any(Status::fail)) return Status::fail;
  if (any(Status::inconclusive)) return Status::inconclusive;
  return any(Status::pass) ? Status::pass : Status::inconclusive;
}

}  // namespace

Scorecard score(std::span<const Case> cases, Audited audited) {
  Scorecard card{.client = std::move(audited.client),
                 .profile = std::move(audited.profile),
                 .seed = audited.seed,
                 .quick = audited.quick,
                 .took = audited.took,
                 .notes = std::move(audited.notes),
                 .findings = infer(cases)};
  RuleTable rules;
  for (const Case& one : cases) {
    card.scenarios.push_back(line_of(one, card.findings));
    if (card.scenarios.back().reason.empty()) rules.add(one);
  }
  card.rules = std::move(rules).judged();
  for (const Topic topic : kTopics) card.topics.push_back(grade_topic(topic, card.rules));
  card.overall = overall_grade(card.topics);
  card.status = status_of(card.scenarios);
  if (is_mostly_unheard(cases)) {
    card.overall = Grade::not_seen;
    if (card.status == Status::pass) card.status = Status::inconclusive;
    card.notes.emplace_back(
        "no overall grade: in more than a third of the scenarios the client was stopped before it "
        "had connected; raise --timeout, or lower --jobs");
  }
  return card;
}

std::string_view word(Grade grade) {
  constexpr std::string_view kWords[] = {"A", "B", "C", "D", "F", "not_seen"};
  return kWords[static_cast<std::size_t>(grade)];
}

std::string_view shown(Grade grade) {
  return grade == Grade::not_seen ? "not seen" : word(grade);
}

}  // namespace retrylab::audit
