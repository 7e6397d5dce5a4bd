// SPDX-License-Identifier: MIT
#include "server/report/html.h"

#include <string_view>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/report/html_gaps.h"
#include "server/report/html_timeline.h"
#include "server/report/markup.h"
#include "server/report/story.h"
#include "server/report/text_rules.h"

namespace retrylab::report {
namespace {

using verify::RuleResult;
using verify::Status;

struct Embedded {
  std::string_view name;
  std::string_view text;
};

constexpr Embedded kFiles[] = {
#include "html_style.inc"
};

std::string head(const Report& report) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{} {} - retrylab</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      symbol(report.verdict.status), escaped(report.scenario.name), html_style());
}

// Links to the rules of that status, behind a word.
std::string links(const Report& report, std::string_view word, Status status) {
  std::string text;
  for (const auto& rule : report.verdict.rules) {
    if (rule.status == status) {
      text += fmt::format(" <a href=\"#rule-{0}\">{0}</a>", escaped(rule.id));
    }
  }
  return text.empty() ? "" : fmt::format("\n<p>{}:{}</p>", word, text);
}

std::string title(const Report& report) {
  const auto status = verify::word(report.verdict.status);
  return fmt::format(
      "<header><h1>{} <span class=\"verdict {}\">{} {}</span></h1>\n<p>{}</p>{}{}</header>\n",
      escaped(report.scenario.name), status, symbol(report.verdict.status), status,
      escaped(report.scenario.about), links(report, "Not kept", Status::fail),
      links(report, "Could not be judged", Status::inconclusive));
}

// Links to the attempts that show it, the first few.
std::string evidence_links(const Report& report, const RuleResult& rule) {
  const bool has_runs = report.runs.size() > 1;
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(rule.attempts.size(), kShown); ++i) {
    const auto& ref = rule.attempts[i];
    text += fmt::format("<a href=\"#{}\">{}{}</a> ", html_anchor(ref),
                        has_runs ? fmt::format("run {}: ", ref.run) : "", ref.attempt);
  }
  if (rule.attempts.size() > kShown) text += "...";
  return text;
}

std::string finding(const Report& report, const RuleResult& rule) {
  std::string text = fmt::format(
      "<article id=\"rule-{2}\" class=\"rule {0}\"><h3>{1} {2} <small>{3}</small></h3>"
      "<p>{4}</p><dl>",
      verify::word(rule.status), symbol(rule.status), escaped(rule.id), escaped(rule.source),
      escaped(rule.statement));
  const auto add = [&](std::string_view name, const std::string& html) {
    if (!html.empty()) text += fmt::format("<dt>{}</dt><dd>{}</dd>", name, html);
  };
  add("expected", escaped(rule.expected));
  add("observed", escaped(rule.observed));
  if (rule.missed_by) add("missed by", format_measured(*rule.missed_by));
  add("attempts", evidence_links(report, rule));
  add("advice", escaped(rule.advice));
  return text + "</dl></article>\n";
}

std::string folded(const Report& report, Status status, std::string_view name) {
  std::string items;
  std::size_t count = 0;
  for (const auto& rule : report.verdict.rules) {
    if (rule.status != status) continue;
    ++count;
    items += fmt::format("<li><b>{}</b> {} <span>{}</span></li>\n", escaped(rule.id),
                         escaped(rule.statement), escaped(rule.observed));
  }
  if (count == 0) return "";
  return fmt::format("<details class=\"rules\"><summary>{} {} {}</summary><ul>{}</ul></details>\n",
                     symbol(status), counted(count, "rule"), name, items);
}

// What the shades behind the bars mean, where there are any.
std::string legend(std::string_view timeline) {
  std::string words;
  const auto explain = [&](std::string_view kind, std::string_view meaning) {
    if (timeline.find(fmt::format("<i class=\"{}", kind)) == std::string_view::npos) return;
    words += fmt::format("<span class=\"meaning\"><span class=\"swatch {}\"></span> {}</span> ",
                         kind, meaning);
  };
  explain("must-wait", "too early: the server asked to wait");
  explain("allowed", "when the declared backoff lets it come");
  return words.empty() ? "" : fmt::format("<p class=\"legend\">{}</p>\n", words);
}

std::string rules(const Report& report) {
  std::string text = "<section><h2>Rules</h2>\n";
  for (const Status status : {Status::fail, Status::inconclusive, Status::advice}) {
    for (const auto& rule : report.verdict.rules) {
      if (rule.status == status) text += finding(report, rule);
    }
  }
  return text + folded(report, Status::pass, "kept") +
         folded(report, Status::not_applicable, "had nothing to judge") + "</section>\n";
}

std::string outcomes(const Report& report) {
  constexpr std::size_t kShown = 100;
  std::string text = "<section><h2>What came of it</h2>\n<ul>";
  std::size_t count = 0;
  const auto add = [&](std::uint32_t run, std::string_view words) {
    if (++count > kShown) return;
    text += fmt::format("<li>{}{}</li>\n",
                        report.runs.size() > 1 ? fmt::format("run {}: ", run) : "", words);
  };
  for (const auto& run : report.runs) {
    for (const auto& client : run.clients) {
      add(run.number, "the client " + escaped(client_words(client)));
    }
    for (const auto& resource : run.resources) {
      add(run.number, fmt::format("created {} by <a href=\"#{}\">attempt {}</a>",
                                  escaped(resource_name(resource.kind, resource.id)),
                                  html_anchor({run.number, resource.attempt}), resource.attempt));
    }
  }
  for (const auto& note : report.verdict.notes) add(1, "note: " + escaped(note));
  if (count > kShown) text += fmt::format("<li>and {} more</li>", count - kShown);
  return text + "</ul></section>\n";
}

std::string footer(const Report& report) {
  const auto& first = report.runs.front();
  return fmt::format(
      "<footer>retrylab {} · profile {} · seed {} · scenario {} · host lag at most {}"
      "<pre>{}</pre></footer>\n</body>\n</html>\n",
      version(), escaped(report.verdict.profile), first.seed, escaped(first.scenario_hash),
      format_measured(report.verdict.worst_lag), escaped(first.command));
}

}  // namespace

std::string_view html_style() {
  return kFiles[0].text;
}

std::string html_report(const Report& report) {
  const std::string timeline = html_timeline(report);
  return head(report) + title(report) + "<main>\n<section><h2>Timeline</h2>\n" + legend(timeline) +
         timeline + "</section>\n" + rules(report) + html_gaps(report) + outcomes(report) +
         "</main>\n" + footer(report);
}

}  // namespace retrylab::report
