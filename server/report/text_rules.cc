// SPDX-License-Identifier: MIT
#include "server/report/text_rules.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client_lib/base/duration_text.h"
#include "server/report/story.h"

namespace retrylab::report {
namespace {

using verify::RuleResult;
using verify::Status;

constexpr Column kField{.indent = 4, .width = 11};
constexpr Column kMark{.indent = 0, .width = 2};

void write_heading(const RuleResult& rule, TextPage& page) {
  const std::string source = rule.source.empty() ? "" : fmt::format(" ({})", rule.source);
  page.labelled({symbol(rule.status), paint_of(rule.status)},
                printable(fmt::format("{}  {}{}", rule.id, rule.statement, source)), kMark,
                Paint::bold);
}

void write_whole(const RuleResult& rule, TextPage& page) {
  write_heading(rule, page);
  const auto field = [&](std::string_view label, const std::string& text) {
    if (!text.empty()) page.labelled({label}, printable(text), kField);
  };
  field("expected", rule.expected);
  field("observed", rule.observed);
  if (rule.missed_by) field("missed by", format_measured(*rule.missed_by));
  field("attempts", evidence_words(rule));
  field("advice", rule.advice);
}

std::vector<const RuleResult*> with_status(const Report& report, Status status) {
  std::vector<const RuleResult*> found;
  for (const auto& rule : report.verdict.rules) {
    if (rule.status == status) found.push_back(&rule);
  }
  return found;
}

void write_passed(const Report& report, TextPage& page) {
  const auto passed = with_status(report, Status::pass);
  if (passed.empty()) return;
  if (!page.options().verbose) {
    const auto words = fmt::format("{} kept: {}", counted(passed.size(), "rule"),
                                   rule_ids(report.verdict, Status::pass));
    page.labelled({"✓", Paint::green}, words, kMark);
    return;
  }
  for (const auto* rule : passed) {
    page.labelled({"✓", Paint::green},
                  printable(fmt::format("{}  {}: {}", rule->id, rule->statement, rule->observed)),
                  kMark);
  }
}

void write_not_applicable(const Report& report, TextPage& page) {
  const auto idle = with_status(report, Status::not_applicable);
  if (idle.empty()) return;
  if (!page.options().verbose) {
    page.labelled(
        {"-", Paint::dim},
        fmt::format("{} had nothing to judge (--verbose says why)", counted(idle.size(), "rule")),
        kMark, Paint::dim);
    return;
  }
  for (const auto* rule : idle) {
    page.labelled({"-", Paint::dim}, printable(fmt::format("{}  {}", rule->id, rule->observed)),
                  kMark, Paint::dim);
  }
}

}  // namespace

std::string_view symbol(Status status) {
  switch (status) {
    case Status::pass:
      return "✓";
    case Status::fail:
      return "✗";
    case Status::inconclusive:
      return "?";
    case Status::advice:
      return "!";
    case Status::not_applicable:
      return "-";
  }
  return "";
}

Paint paint_of(Status status) {
  switch (status) {
    case Status::pass:
      return Paint::green;
    case Status::fail:
      return Paint::red;
    case Status::inconclusive:
    case Status::advice:
      return Paint::yellow;
    case Status::not_applicable:
      return Paint::dim;
  }
  return Paint::plain;
}

void write_rules(const Report& report, TextPage& page) {
  for (const Status status : {Status::fail, Status::inconclusive, Status::advice}) {
    for (const auto* rule : with_status(report, status)) write_whole(*rule, page);
  }
  write_passed(report, page);
  write_not_applicable(report, page);
}

}  // namespace retrylab::report
