// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client_lib/base/duration_text.h"
#include "server/audit/policy_card.h"
#include "server/report/audit/again.h"
#include "server/report/audit/audit_report.h"
#include "server/report/audit/policy_words.h"
#include "server/report/markup.h"
#include "server/report/report.h"
#include "server/report/text_rules.h"

namespace retrylab::report {
namespace {

using audit::RuleLine;
using audit::ScenarioLine;
using audit::Scorecard;
using verify::Status;

std::string grades(const Scorecard& card) {
  std::string text =
      "| topic | grade | kept | broken | advice | inconclusive |\n|---|---|---|---|---|---|\n";
  for (const auto& line : card.topics) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", audit::title(line.topic),
                    audit::shown(line.grade), line.kept, line.broken, line.advised, line.untold);
  }
  return text + fmt::format("| **overall** | **{}** | | | | |\n\n", audit::shown(card.overall));
}

// Of each broken rule, what shows it again.
std::string commands(const Scorecard& card) {
  std::string lines;
  for (const RuleLine& rule : card.rules) {
    if (rule.status != Status::fail) continue;
    lines += fmt::format("# {}\n{}\n", rule.id, again_command(card, rule));
  }
  return lines.empty() ? "" : "```sh\n" + lines + "```\n\n";
}

std::string findings(const Scorecard& card) {
  std::string rows;
  for (const Status status : {Status::fail, Status::inconclusive, Status::advice}) {
    for (const RuleLine& rule : card.rules) {
      if (rule.status != status) continue;
      rows += fmt::format("| {} {} | {} | {} | {} | {} |\n", symbol(status), table_cell(rule.id),
                          table_cell(rule.statement), table_cell(rule.evidence),
                          table_cell(rule.advice),
                          table_cell(fmt::format("{}", fmt::join(rule.scenarios, ", "))));
    }
  }
  if (rows.empty()) return "No rule is broken.\n\n";
  return "| rule | says | observed | advice | in |\n|---|---|---|---|---|\n" + rows + "\n" +
         commands(card);
}

std::string policy(const Scorecard& card) {
  std::string text = "| property | as seen on the wire |\n|---|---|\n";
  for (const PolicyFact& fact : policy_facts(card.findings)) {
    text += fmt::format("| {} | {} |\n", table_cell(fact.name), table_cell(fact.text));
  }
  return text + fmt::format("\n```json\n{}```\n\n", audit::policy_card(card.findings));
}

std::string scenarios(const Scorecard& card) {
  std::string text = "| | scenario | |\n|---|---|---|\n";
  for (const ScenarioLine& line : card.scenarios) {
    std::string words = fmt::format("{}", fmt::join(line.rules, ", "));
    if (!line.reason.empty()) words = line.reason;
    if (!line.client.empty()) words += " (" + line.client + ")";
    text += fmt::format("| {} | {} | {} |\n", symbol(line.status), table_cell(line.name),
                        table_cell(words));
  }
  return text;
}

}  // namespace

std::string audit_markdown(const Scorecard& card) {
  std::string text = fmt::format(
      "# Scorecard of `{}`\n\n{} scenarios{}, profile {}, seed {}, {}, retrylab {}.\n\n",
      table_cell(card.client), card.scenarios.size(), card.quick ? " (quick)" : "",
      table_cell(card.profile), card.seed, format_measured(card.took), version());
  for (const std::string& note : card.notes) text += fmt::format("- {}\n", table_cell(note));
  if (!card.notes.empty()) text += "\n";
  return text + grades(card) + "## Findings\n\n" + findings(card) + "## Policy\n\n" + policy(card) +
         "## Scenarios\n\n" + scenarios(card);
}

}  // namespace retrylab::report
