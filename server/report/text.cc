// SPDX-License-Identifier: MIT
#include "server/report/text.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/report/story.h"
#include "server/report/text_page.h"
#include "server/report/text_rules.h"
#include "server/report/text_timeline.h"

namespace retrylab::report {
namespace {

constexpr std::size_t kLinesShown = 5;
constexpr Column kFacts{.indent = 2, .width = 9};

void write_title(const Report& report, TextPage& page) {
  page.line(page.paint(printable(report.scenario.name), Paint::bold));
  if (report.scenario.about.empty()) return;
  for (const auto& line : wrapped(printable(report.scenario.about), page.options().width - 2)) {
    page.line("  " + page.paint(line, Paint::dim));
  }
}

// Several runs or operations: how many there were, since only some are shown.
void write_totals(const Report& report, TextPage& page) {
  const std::size_t operations = report.verdict.operations.size();
  if (report.runs.size() == 1 && operations <= 1) return;
  std::size_t attempts = 0;
  for (const auto& run : report.runs) attempts += run.attempts.size();
  page.labelled({"total"},
                fmt::format("{}, {}, {} (operations told apart by {})",
                            counted(report.runs.size(), "run"), counted(operations, "operation"),
                            counted(attempts, "attempt"), grouping_words(report.verdict.grouping)),
                kFacts);
}

// Equal lines once, with their number; the first few.
void write_tally(std::string_view label, const std::vector<std::string>& lines, TextPage& page) {
  std::vector<std::pair<std::string, std::size_t>> tally;
  for (const auto& line : lines) {
    const auto known = std::ranges::find(tally, line, &std::pair<std::string, std::size_t>::first);
    if (known == tally.end())
      tally.emplace_back(line, 1);
    else
      ++known->second;
  }
  for (std::size_t i = 0; i < tally.size(); ++i) {
    if (i == kLinesShown && !page.options().verbose) {
      page.labelled({}, fmt::format("… {} more", tally.size() - i), kFacts, Paint::dim);
      return;
    }
    const auto& [line, count] = tally[i];
    page.labelled({i == 0 ? label : ""}, count == 1 ? line : fmt::format("{}x {}", count, line),
                  kFacts);
  }
}

void write_outcomes(const Report& report, TextPage& page) {
  std::vector<std::string> clients;
  std::vector<std::string> resources;
  const bool many_runs = report.runs.size() > 1;
  for (const auto& run : report.runs) {
    for (const auto& client : run.clients) clients.push_back(client_words(client));
    for (const auto& resource : run.resources) {
      resources.push_back(many_runs
                              ? fmt::format("{} in run {}", resource_words(resource), run.number)
                              : resource_words(resource));
    }
  }
  write_tally("client", clients, page);
  write_tally("created", resources, page);
  for (const auto& note : report.verdict.notes) {
    page.labelled({"note"}, printable(note), kFacts);
  }
}

// The commonest reason why a herd fails what one client passes.
void write_hint(const Report& report, TextPage& page) {
  const auto& first = report.runs.front();
  if (report.verdict.status != verify::Status::fail || first.processes < 2) return;
  const auto shared = std::ranges::find_if(report.scenario.routes, [](const auto& route) {
    return route.count_by.kind == scenario::CountBy::Kind::route && route.script.size() > 1;
  });
  if (shared == report.scenario.routes.end()) return;
  const auto by = shared->idempotency ? "header:" + shared->idempotency->header : "operation";
  page.labelled({"hint"},
                fmt::format("{} went through the one script of \"{}\" together; with \"count_by\": "
                            "\"{}\" each operation goes through a script of its own",
                            counted(first.processes, "client"), shared->on.text, by),
                kFacts);
}

void write_footer(const Report& report, TextPage& page) {
  const auto& first = report.runs.front();
  const auto facts =
      fmt::format("retrylab {} · profile {} · seed {} · scenario {} · host lag at most {}",
                  version(), report.verdict.profile, first.seed, first.scenario_hash,
                  format_measured(report.verdict.worst_lag));
  for (const auto& line : wrapped(facts, page.options().width)) {
    page.line(page.paint(line, Paint::dim));
  }
  // Not wrapped: it is there to be copied.
  if (!first.command.empty()) {
    page.line(page.paint("again: " + printable(first.command), Paint::dim));
  }
}

void write_verdict(const Report& report, TextPage& page) {
  const auto status = report.verdict.status;
  std::string word(verify::word(status));
  std::ranges::transform(word, word.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  const bool passed = status == verify::Status::pass;
  const std::string ids = passed ? "" : ": " + rule_ids(report.verdict, status);
  page.labelled({fmt::format("{} {}", symbol(status), word), paint_of(status)},
                printable(report.scenario.name + ids), {.width = word.size() + 4});
}

}  // namespace

std::string text_report(const Report& report, const TextOptions& options) {
  TextPage page(options);
  write_title(report, page);
  page.blank();
  write_timeline(report, page);
  page.blank();
  write_totals(report, page);
  write_outcomes(report, page);
  write_hint(report, page);
  page.blank();
  write_rules(report, page);
  page.blank();
  write_footer(report, page);
  write_verdict(report, page);
  return page.text();
}

}  // namespace retrylab::report
