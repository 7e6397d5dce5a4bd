// SPDX-License-Identifier: MIT
#include "server/report/junit.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/report/markup.h"
#include "server/report/story.h"
#include "server/report/text.h"

namespace retrylab::report {
namespace {

using verify::RuleResult;
using verify::Status;

constexpr std::string_view kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

std::size_t count(const verify::Verdict& verdict, Status status) {
  return static_cast<std::size_t>(std::ranges::count(verdict.rules, status, &RuleResult::status));
}

double total_seconds(const Report& report) {
  Duration total{0};
  for (const auto& run : report.runs) {
    if (run.ended) total += since_zero(run, *run.ended);
  }
  return std::chrono::duration<double>(total).count();
}

std::string details(const RuleResult& rule) {
  std::string text;
  const auto add = [&](std::string_view label, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", label, value);
  };
  add("expected", rule.expected);
  add("observed", rule.observed);
  if (rule.missed_by) add("missed by", format_measured(*rule.missed_by));
  add("attempts", evidence_words(rule));
  add("advice", rule.advice);
  add("source", rule.source);
  return text;
}

std::string result_element(const RuleResult& rule) {
  switch (rule.status) {
    case Status::fail:
      return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                         escaped(rule.id), escaped(rule.observed), escaped(details(rule)));
    case Status::inconclusive:
      return fmt::format("      <skipped message=\"{}\"/>\n",
                         escaped("inconclusive: " + rule.observed));
    case Status::advice:
      return fmt::format("      <system-out>{}</system-out>\n", escaped(details(rule)));
    case Status::pass:
    case Status::not_applicable:
      return "";
  }
  return "";
}

std::string test_case(std::string_view scenario, const RuleResult& rule, double seconds) {
  const auto result = result_element(rule);
  const auto opening =
      fmt::format("    <testcase classname=\"retrylab.{}\" name=\"{}\" time=\"{:.3f}\"",
                  escaped(scenario), escaped(rule.id + ": " + rule.statement), seconds);
  if (result.empty()) return opening + "/>\n";
  return opening + ">\n" + result + "    </testcase>\n";
}

std::string properties(const Report& report) {
  const auto& first = report.runs.front();
  const auto property = [](std::string_view name, std::string_view value) {
    return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, escaped(value));
  };
  return "    <properties>\n" + property("retrylab", version()) +
         property("profile", report.verdict.profile) +
         property("seed", fmt::format("{}", first.seed)) +
         property("scenario_hash", first.scenario_hash) +
         property("host_lag_max", format_measured(report.verdict.worst_lag)) +
         property("command", first.command) + "    </properties>\n";
}

}  // namespace

std::string junit_report(const Report& report) {
  const auto& verdict = report.verdict;
  const std::string name = escaped(report.scenario.name);
  const double seconds = total_seconds(report);
  const auto counts = fmt::format(
      "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"", name,
      verdict.rules.size() - count(verdict, Status::not_applicable), count(verdict, Status::fail),
      count(verdict, Status::inconclusive), seconds);
  std::string xml = fmt::format("{}<testsuites {}>\n  <testsuite {}>\n", kHead, counts, counts);
  xml += properties(report);
  for (const auto& rule : verdict.rules) {
    if (rule.status == Status::not_applicable) continue;
    xml += test_case(report.scenario.name, rule, seconds);
  }
  xml += fmt::format("    <system-out>{}</system-out>\n", escaped(text_report(report, {})));
  return xml + "  </testsuite>\n</testsuites>\n";
}

std::string junit_error(std::string_view scenario, std::string_view problem) {
  const std::string name = escaped(scenario);
  const auto counts =
      fmt::format("name=\"{}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\"", name);
  return fmt::format(
      "{}<testsuites {}>\n  <testsuite {}>\n    <testcase classname=\"retrylab.{}\" "
      "name=\"run\">\n      <error type=\"could_not_run\" message=\"{}\"/>\n    </testcase>\n"
      "  </testsuite>\n</testsuites>\n",
      kHead, counts, counts, name, escaped(problem));
}

}  // namespace retrylab::report
