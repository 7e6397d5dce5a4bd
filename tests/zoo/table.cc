// SPDX-License-Identifier: MIT
#include "tests/zoo/table.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/zoo/cage.h"

namespace retrylab::zoo {
namespace {

constexpr std::string_view kTop = R"(# The zoo

Clients that are right but for one decision, each shown to a small server in virtual time.
The rule in the second column is the only one that fails, or gives advice where the mistake is no
more than that; a plain expectation of the scenario that says the same stands in brackets. Made by `zoo_table`; a test holds it up to date.

| client | caught by | mistake |
|---|---|---|
)";

constexpr std::string_view kByRule = R"(
## By rule

CLS-5 and CONN-1 have no client: the server closes such a connection itself, and what is sent on it
afterwards never arrives as an attempt. They are tested on journals told by hand (`Cls5`, `Conn1` in
tests/server/verify).

| rule | statement | clients |
|---|---|---|
)";

// Rules have a number ("RA-1"); a plain expectation is a word of the scenario.
bool is_rule(std::string_view id) {
  return id.find('-') != std::string_view::npos;
}

struct Row {
  std::vector<std::string> rules;
  std::string text;
};

Row row_of(const WrongClient& client, const verify::Verdict& verdict) {
  Row row{.rules = ids_with(verdict, verify::Status::fail)};
  std::vector<std::string> words;
  for (const std::string& id : row.rules) words.push_back(is_rule(id) ? id : '(' + id + ')');
  const std::vector<std::string> advice = ids_with(verdict, verify::Status::advice);
  if (client.is_advice && std::ranges::count(advice, client.rule) > 0) {
    row.rules.push_back(client.rule);
    words.push_back(client.rule + " (advice)");
  }
  row.text = fmt::format("| {} | {} | {} |\n", client.name, fmt::join(words, " "), client.mistake);
  return row;
}

}  // namespace

std::string table_page() {
  std::string page(kTop);
  std::map<std::string, std::vector<std::string>> clients_of;
  std::vector<std::pair<std::string, std::string>> rules;  // in the order of the verdicts
  for (const WrongClient& client : wrong_clients()) {
    const verify::Verdict verdict = Cage(client).judge(1);
    const Row row = row_of(client, verdict);
    page += row.text;
    for (const std::string& id : row.rules) clients_of[id].push_back(client.name);
    if (verdict.rules.size() <= rules.size()) continue;
    rules.clear();
    for (const verify::RuleResult& rule : verdict.rules)
      rules.emplace_back(rule.id, rule.statement);
  }
  page += kByRule;
  for (const auto& [id, statement] : rules) {
    if (!is_rule(id)) continue;
    page += fmt::format("| {} | {} | {} |\n", id, statement, fmt::join(clients_of[id], ", "));
  }
  return page;
}

}  // namespace retrylab::zoo
