// SPDX-License-Identifier: MIT
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client_lib/base/duration_text.h"
#include "server/audit/policy_card.h"
#include "server/report/audit/again.h"
#include "server/report/audit/audit_report.h"
#include "server/report/audit/policy_words.h"
#include "server/report/html.h"
#include "server/report/markup.h"
#include "server/report/report.h"
#include "server/report/story.h"
#include "server/report/text_rules.h"

namespace retrylab::report {
namespace {

using audit::RuleLine;
using audit::ScenarioLine;
using audit::Scorecard;
using verify::Status;

constexpr std::string_view kTables =
    "table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem 1rem .2rem 0;"
    " border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: break-word; }"
    " td .verdict { white-space: nowrap; }"
    " @media (max-width: 30rem) { th, td { font-size: .8rem; padding-right: .4rem; }"
    " td .verdict { font-size: .75rem; padding: 0 .3rem; } }";

std::string_view verdict_of(audit::Grade grade) {
  if (grade == audit::Grade::not_seen) return "";
  return grade <= audit::Grade::b ? "pass" : grade == audit::Grade::f ? "fail" : "inconclusive";
}

std::string badge(audit::Grade grade) {
  return fmt::format("<span class=\"verdict {}\">{}</span>", verdict_of(grade),
                     audit::shown(grade));
}

std::string head(const Scorecard& card) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{} - retrylab audit</title>\n<style>\n{}{}\n</style>\n</head>\n<body>\n"
      "<header><h1>{} {}</h1>\n<p>{} scenarios{} · profile {} · seed {} · {} · retrylab {}</p>"
      "</header>\n<main>\n",
      escaped(card.client), html_style(), kTables, escaped(card.client), badge(card.overall),
      card.scenarios.size(), card.quick ? " (quick)" : "", escaped(card.profile), card.seed,
      format_measured(card.took), version());
}

std::string notes(const Scorecard& card) {
  std::string items;
  for (const std::string& note : card.notes) items += fmt::format("<li>{}</li>\n", escaped(note));
  return items.empty() ? "" : fmt::format("<ul>{}</ul>\n", items);
}

std::string grades(const Scorecard& card) {
  std::string rows;
  for (const auto& line : card.topics) {
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    audit::title(line.topic), badge(line.grade), line.kept, line.broken,
                    line.advised, line.untold);
  }
  return fmt::format(
      "<section><h2>Grades</h2>\n<table><tr><th>topic</th><th>grade</th><th>kept</th>"
      "<th>broken</th><th>advice</th><th>unclear</th></tr>\n{}</table></section>\n",
      rows);
}

std::string links(const std::vector<std::string>& scenarios) {
  std::string text;
  for (const std::string& name : scenarios) {
    text += fmt::format("<a href=\"#{0}\">{0}</a> ", escaped(name));
  }
  return text;
}

std::string finding(const Scorecard& card, const RuleLine& rule) {
  const std::string_view again = again_command(card, rule);
  return fmt::format(
      "<article class=\"rule {}\"><h3>{} {} <small>{}</small></h3><p>{}</p>"
      "<dl><dt>observed</dt><dd>{}</dd><dt>advice</dt><dd>{}</dd><dt>in</dt><dd>{}</dd>{}</dl>"
      "</article>\n",
      verify::word(rule.status), symbol(rule.status), escaped(rule.id), escaped(rule.source),
      escaped(rule.statement), escaped(rule.evidence), escaped(rule.advice), links(rule.scenarios),
      again.empty() ? "" : fmt::format("<dt>again</dt><dd><code>{}</code></dd>", escaped(again)));
}

std::string rules(const Scorecard& card) {
  std::string text = "<section><h2>Rules</h2>\n";
  for (const Status status : {Status::fail, Status::inconclusive, Status::advice}) {
    for (const RuleLine& rule : card.rules) {
      if (rule.status == status) text += finding(card, rule);
    }
  }
  std::string kept;
  std::size_t count = 0;
  for (const RuleLine& rule : card.rules) {
    if (rule.status != Status::pass) continue;
    kept += fmt::format("<li><b>{}</b> {} <span>in {}</span></li>\n", escaped(rule.id),
                        escaped(rule.statement), counted(rule.kept, "scenario"));
    ++count;
  }
  return text + fmt::format(
                    "<details class=\"rules\"><summary>{} {} kept</summary><ul>{}</ul>"
                    "</details></section>\n",
                    symbol(Status::pass), counted(count, "rule"), kept);
}

std::string policy(const Scorecard& card) {
  std::string rows;
  for (const PolicyFact& fact : policy_facts(card.findings)) {
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(fact.name), escaped(fact.text));
  }
  return fmt::format(
      "<section><h2>Policy, as seen on the wire</h2>\n<table>{}</table>\n"
      "<details><summary>The same as a file for retrylab simulate --policy</summary>"
      "<pre>{}</pre></details></section>\n",
      rows, escaped(audit::policy_card(card.findings)));
}

std::string scenario(const ScenarioLine& line) {
  std::string words = fmt::format("{}", fmt::join(line.rules, ", "));
  if (!line.reason.empty()) words = line.reason;
  if (!line.client.empty()) words += " (" + line.client + ")";
  return fmt::format(
      "<details class=\"rules\" id=\"{}\"><summary>{} {} <span>{}</span></summary><p>{}</p>"
      "<pre>{}</pre></details>\n",
      escaped(line.name), symbol(line.status), escaped(line.name), escaped(words),
      escaped(line.about), escaped(line.command));
}

}  // namespace

std::string audit_html(const Scorecard& card) {
  std::string scenarios;
  for (const ScenarioLine& line : card.scenarios) scenarios += scenario(line);
  return head(card) + notes(card) + grades(card) + rules(card) + policy(card) +
         "<section><h2>Scenarios</h2>\n" + scenarios + "</section>\n</main>\n</body>\n</html>\n";
}

}  // namespace retrylab::report
