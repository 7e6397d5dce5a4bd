// SPDX-License-Identifier: MIT
#include "server/report/github.h"

#include <string_view>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/report/layout.h"
#include "server/report/markup.h"
#include "server/report/story.h"
#include "server/report/text.h"
#include "server/report/text_rules.h"

namespace retrylab::report {
namespace {

using verify::RuleResult;
using verify::Status;

bool is_finding(const RuleResult& rule) {
  return rule.status == Status::fail || rule.status == Status::inconclusive ||
         rule.status == Status::advice;
}

// The data of a workflow command: % and line ends as %XX; in a property : and , too.
std::string command_text(std::string_view text, bool is_property) {
  std::string result;
  for (const char letter : printable(text)) {
    const bool special = letter == '%' || (is_property && (letter == ':' || letter == ','));
    result += special ? fmt::format("%{:02X}", static_cast<unsigned char>(letter))
                      : std::string(1, letter);
  }
  return result;
}

std::string message(const RuleResult& rule) {
  std::string text = rule.statement + ":";
  if (!rule.expected.empty()) text += fmt::format(" expected {},", rule.expected);
  text += fmt::format(" observed {}", rule.observed);
  if (rule.missed_by) text += fmt::format(", missed by {}", format_measured(*rule.missed_by));
  if (!rule.attempts.empty()) text += fmt::format(" (attempts {})", evidence_words(rule));
  return rule.advice.empty() ? text : fmt::format("{}. {}", text, rule.advice);
}

}  // namespace

std::string github_annotations(const Report& report) {
  std::string lines;
  for (const auto& rule : report.verdict.rules) {
    if (!is_finding(rule)) continue;
    lines += fmt::format("::{} title={}::{}\n", rule.status == Status::fail ? "error" : "warning",
                         command_text(report.scenario.name + " " + rule.id, true),
                         command_text(message(rule), false));
  }
  return lines;
}

std::string github_summary(const Report& report) {
  const auto& verdict = report.verdict;
  std::string text = fmt::format("### {} {}: {}\n\n", symbol(verdict.status),
                                 table_cell(report.scenario.name), verify::word(verdict.status));
  bool any = false;
  for (const auto& rule : verdict.rules) {
    if (!is_finding(rule)) continue;
    if (!any) text += "| | rule | expected | observed | attempts |\n|---|---|---|---|---|\n";
    any = true;
    text += fmt::format("| {} | {} {} | {} | {} | {} |\n", symbol(rule.status), table_cell(rule.id),
                        table_cell(rule.statement), table_cell(rule.expected),
                        table_cell(rule.observed), table_cell(evidence_words(rule)));
  }
  return text +
         fmt::format("\n<details><summary>Timeline</summary>\n\n<pre>\n{}</pre>\n</details>\n\n",
                     escaped(text_report(report, {})));
}

}  // namespace retrylab::report
