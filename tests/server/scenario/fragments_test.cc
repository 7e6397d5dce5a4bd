// SPDX-License-Identifier: MIT
// fragments.txt: one construct or one kind of mistake per row. schema_test.py reads the same rows.
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/scenario/load.h"
#include "tests/server/scenario/expected_mistakes.h"

namespace retrylab::scenario {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  int line = 0;
  std::string context;
  std::string verdict;
  std::string fragment;
  std::vector<ExpectedMistake> mistakes;
};

// Where a fragment of each context stands in the whole scenario.
struct Place {
  Json scenario;
  std::string base;
};

void merge(Json& into, const Json& fragment) {
  for (const auto& [name, value] : fragment.items()) into[name] = value;
}

Place place(const std::string& context, const Json& fragment) {
  Json scenario = {{"name", "x"},
                   {"routes", {{{"on", "POST /a"}, {"script", {200}}, {"creates", "payment"}}}}};
  Json& route = scenario["routes"][0];
  if (context == "scenario") {
    merge(scenario, fragment);
    return {scenario, ""};
  }
  if (context == "expect") {
    scenario["expect"] = fragment;
    return {scenario, "/expect"};
  }
  if (context == "connection" || context == "outage") {
    scenario[context + "s"] = Json::array({fragment});
    return {scenario, "/" + context + "s/0"};
  }
  route.erase("creates");
  if (context == "route") {
    route["on"] = "POST /a/{id}";
    merge(route, fragment);
    return {scenario, "/routes/0"};
  }
  if (context == "override") {
    route["overrides"] = Json::array({fragment});
    return {scenario, "/routes/0/overrides/0"};
  }
  route["script"] = Json::array({fragment});
  return {scenario, "/routes/0/script/0"};
}

Row parse_row(const std::string& text) {
  Row row;
  const std::size_t arrow = text.find(" => ");
  const std::string before = text.substr(0, arrow);
  row.verdict = before.substr(0, before.find(' '));
  row.fragment = before.substr(before.find(' ') + 1);
  if (arrow == std::string::npos) return row;
  std::string rest = text.substr(arrow + 4) + " && ";
  while (!rest.empty()) {
    const std::size_t end = rest.find(" && ");
    const std::string one = rest.substr(0, end);
    const std::size_t bar = one.find(" | ");
    row.mistakes.push_back({one.substr(0, bar), one.substr(bar + 3)});
    rest.erase(0, end + 4);
  }
  return row;
}

std::vector<Row> rows() {
  std::ifstream file(std::string(RETRYLAB_SCENARIO_TESTS) + "/fragments.txt");
  std::vector<Row> rows;
  std::string context;
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    if (text.starts_with("[")) context = text.substr(1, text.size() - 2);
    if (text.empty() || text.starts_with("[") || text.starts_with("#")) continue;
    rows.push_back(parse_row(text));
    rows.back().line = line;
    rows.back().context = context;
  }
  return rows;
}

Result<std::string> no_files(const std::string&) {
  return fail(ErrorCode::machine, "", "there is no such file");
}

TEST(Fragments, each_is_accepted_or_refused_with_its_place_and_reason) {
  const std::vector<Row> all = rows();
  ASSERT_GT(all.size(), 300U);
  for (const Row& row : all) {
    SCOPED_TRACE("fragments.txt:" + std::to_string(row.line) + ": " + row.fragment);
    const Place whole = place(row.context, Json::parse(row.fragment));
    const auto loaded = load(whole.scenario.dump(), no_files);
    const std::vector<Mistake> mistakes = loaded ? std::vector<Mistake>() : loaded.error();
    EXPECT_EQ(row.verdict == "good", row.mistakes.empty());
    expect_mistakes(mistakes, row.mistakes, whole.base);
  }
}

}  // namespace
}  // namespace retrylab::scenario
