// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/report/audit/audit_report.h"
#include "server/report/markup.h"
#include "server/report/report.h"

namespace retrylab::report {
namespace {

using audit::RuleLine;
using audit::ScenarioLine;
using audit::Scorecard;
using verify::Status;

// What the broken rules of a scenario observed; of several scenarios the table keeps one.
std::string details(const Scorecard& card, const ScenarioLine& line) {
  std::string text;
  for (const std::string& id : line.rules) {
    const auto rule = std::ranges::find(card.rules, id, &RuleLine::id);
    if (rule == card.rules.end()) continue;
    text += fmt::format("{}: {}\n", id, rule->statement);
    if (rule->scenarios.front() == line.name) text += fmt::format("  {}\n", rule->evidence);
  }
  if (!line.client.empty()) text += fmt::format("the client {}\n", line.client);
  return text + "again: " + line.command + "\n";
}

std::string result(const Scorecard& card, const ScenarioLine& line) {
  const std::string rules = fmt::format("{}", fmt::join(line.rules, ", "));
  switch (line.status) {
    case Status::fail:
      return fmt::format("      <failure type=\"rule\" message=\"{}\">{}</failure>\n",
                         escaped(rules), escaped(details(card, line)));
    case Status::inconclusive:
      return fmt::format("      <skipped message=\"{}\"/>\n", escaped("inconclusive: " + rules));
    case Status::not_applicable:
      return fmt::format("      <skipped message=\"{}\"/>\n", escaped(line.reason));
    case Status::advice:
    case Status::pass:
      break;
  }
  return "";
}

std::string test_case(const Scorecard& card, const ScenarioLine& line) {
  const auto inside = result(card, line);
  const auto opening = fmt::format(
      "    <testcase classname=\"retrylab.audit\" name=\"{}\" time=\"0\"", escaped(line.name));
  return inside.empty() ? opening + "/>\n" : opening + ">\n" + inside + "    </testcase>\n";
}

}  // namespace

std::string audit_junit(const Scorecard& card) {
  const auto count = [&card](Status status) {
    return std::ranges::count(card.scenarios, status, &ScenarioLine::status);
  };
  const auto counts = fmt::format(
      "name=\"retrylab audit\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
      "time=\"{:.3f}\"",
      card.scenarios.size(), count(Status::fail),
      count(Status::inconclusive) + count(Status::not_applicable),
      std::chrono::duration<double>(card.took).count());
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite {0}>\n", counts);
  xml += fmt::format(
      "    <properties>\n      <property name=\"retrylab\" value=\"{}\"/>\n"
      "      <property name=\"client\" value=\"{}\"/>\n"
      "      <property name=\"overall\" value=\"{}\"/>\n    </properties>\n",
      version(), escaped(card.client), audit::shown(card.overall));
  for (const ScenarioLine& line : card.scenarios) xml += test_case(card, line);
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace retrylab::report
