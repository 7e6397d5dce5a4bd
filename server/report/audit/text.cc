// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client_lib/base/duration_text.h"
#include "server/report/audit/audit_report.h"
#include "server/report/audit/policy_words.h"
#include "server/report/report.h"
#include "server/report/story.h"
#include "server/report/text_page.h"
#include "server/report/text_rules.h"

namespace retrylab::report {
namespace {

using audit::Grade;
using audit::RuleLine;
using audit::ScenarioLine;
using audit::Scorecard;
using verify::Status;

constexpr Column kField{.indent = 2, .width = 24};
constexpr Column kMark{.indent = 0, .width = 2};
constexpr Column kUnder{.indent = 4, .width = 11};

Paint paint_of(Grade grade) {
  switch (grade) {
    case Grade::a:
    case Grade::b:
      return Paint::green;
    case Grade::c:
    case Grade::d:
      return Paint::yellow;
    case Grade::f:
      return Paint::red;
    case Grade::not_seen:
      break;
  }
  return Paint::dim;
}

std::string counts(const audit::TopicLine& line) {
  std::vector<std::string> words;
  const auto add = [&words](std::uint32_t count, std::string_view what) {
    if (count > 0) words.push_back(fmt::format("{} {}", count, what));
  };
  add(line.kept, "kept");
  add(line.broken, "broken");
  add(line.advised, "with advice");
  add(line.untold, "inconclusive");
  return words.empty() ? "no rule had anything to judge"
                       : fmt::format("{}", fmt::join(words, ", "));
}

void write_grades(const Scorecard& card, TextPage& page) {
  for (const auto& line : card.topics) {
    const auto grade = padded(audit::shown(line.grade), 10);
    page.labelled({audit::title(line.topic)},
                  page.paint(grade, paint_of(line.grade)) + counts(line), kField);
  }
  page.labelled({"Overall", Paint::bold},
                page.paint(audit::shown(card.overall), paint_of(card.overall)), kField);
}

std::string names(const std::vector<std::string>& scenarios) {
  constexpr std::size_t kShown = 4;
  const std::vector<std::string> first(
      scenarios.begin(),
      scenarios.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, scenarios.size())));
  return scenarios.size() <= kShown
             ? fmt::format("{}", fmt::join(first, ", "))
             : fmt::format("{} and {} more", fmt::join(first, ", "), scenarios.size() - kShown);
}

void write_finding(const RuleLine& rule, TextPage& page) {
  page.labelled({symbol(rule.status), report::paint_of(rule.status)},
                printable(fmt::format("{}  {}", rule.id, rule.statement)), kMark, Paint::bold);
  page.labelled({"observed"}, printable(rule.evidence), kUnder);
  if (!rule.advice.empty()) page.labelled({"advice"}, printable(rule.advice), kUnder);
  page.labelled({"in"}, names(rule.scenarios), kUnder);
}

void write_rules(const Scorecard& card, TextPage& page) {
  for (const Status status : {Status::fail, Status::inconclusive, Status::advice}) {
    for (const RuleLine& rule : card.rules) {
      if (rule.status == status) write_finding(rule, page);
    }
  }
  std::vector<std::string> kept;
  for (const RuleLine& rule : card.rules) {
    if (rule.status == Status::pass) kept.push_back(rule.id);
  }
  if (kept.empty()) return;
  page.labelled({"✓", Paint::green},
                fmt::format("{} kept: {}", counted(kept.size(), "rule"), fmt::join(kept, ", ")),
                kMark);
}

void write_scenario(const ScenarioLine& line, TextPage& page) {
  std::string text = line.name;
  if (!line.rules.empty()) text += fmt::format(": {}", fmt::join(line.rules, ", "));
  if (!line.reason.empty()) text += ": " + line.reason;
  if (!line.client.empty()) text += fmt::format(" ({})", line.client);
  page.labelled({symbol(line.status), report::paint_of(line.status)}, printable(text), kMark);
}

// Reasons are shared by many scenarios.
void write_not_judged(const Scorecard& card, TextPage& page) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const ScenarioLine& line : card.scenarios) {
    if (!line.reason.empty()) by_reason[line.reason].push_back(line.name);
  }
  for (const auto& [reason, scenarios] : by_reason) {
    page.labelled(
        {"-", Paint::dim},
        printable(fmt::format("{} not judged, {}: {}", counted(scenarios.size(), "scenario"),
                              reason, names(scenarios))),
        kMark);
  }
}

void write_scenarios(const Scorecard& card, TextPage& page) {
  std::size_t passed = 0;
  for (const ScenarioLine& line : card.scenarios) {
    const bool shown = page.options().verbose || line.status == Status::fail ||
                       line.status == Status::inconclusive;
    if (line.status == Status::pass) ++passed;
    if (shown && (line.reason.empty() || page.options().verbose)) write_scenario(line, page);
  }
  if (!page.options().verbose) write_not_judged(card, page);
  page.labelled({"✓", Paint::green}, fmt::format("{} passed", counted(passed, "scenario")), kMark);
}

// Not wrapped: they are there to be copied.
void write_again(const Scorecard& card, std::string_view command, TextPage& page) {
  const auto failed = std::ranges::find(card.scenarios, Status::fail, &ScenarioLine::status);
  if (failed != card.scenarios.end()) {
    page.line(page.paint("first failure: " + printable(failed->command), Paint::dim));
  }
  if (!command.empty()) page.line(page.paint("again: " + printable(command), Paint::dim));
}

void write_verdict(const Scorecard& card, TextPage& page) {
  const auto broken = std::ranges::count(card.rules, Status::fail, &RuleLine::status);
  std::string text = fmt::format("overall {}; {} broken", audit::shown(card.overall),
                                 counted(static_cast<std::uint64_t>(broken), "rule"));
  page.labelled({fmt::format("{} {}", symbol(card.status), verify::word(card.status)),
                 report::paint_of(card.status)},
                text, {.width = verify::word(card.status).size() + 4});
}

}  // namespace

std::string audit_text(const Scorecard& card, const TextOptions& options,
                       std::string_view command) {
  TextPage page(options);
  page.line(page.paint("Scorecard of " + printable(card.client), Paint::bold));
  page.line(page.paint(
      fmt::format("  {}{} · profile {} · seed {} · {} · retrylab {}",
                  counted(card.scenarios.size(), "scenario"), card.quick ? " (quick)" : "",
                  card.profile, card.seed, format_measured(card.took), version()),
      Paint::dim));
  for (const std::string& note : card.notes) page.labelled({"note"}, printable(note), kField);
  page.blank();
  write_grades(card, page);
  page.blank();
  page.line(page.paint("Rules", Paint::bold));
  write_rules(card, page);
  page.blank();
  page.line(page.paint("Scenarios", Paint::bold));
  write_scenarios(card, page);
  page.blank();
  page.line(page.paint("Policy, as seen on the wire", Paint::bold));
  for (const PolicyFact& fact : policy_facts(card.findings)) {
    page.labelled({fact.name}, printable(fact.text), kField);
  }
  page.blank();
  write_again(card, command, page);
  write_verdict(card, page);
  return page.text();
}

}  // namespace retrylab::report
