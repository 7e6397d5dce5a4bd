// SPDX-License-Identifier: MIT
#include "tests/server/verify/stage.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace retrylab::verify {

Stage::Stage() : expect(scenario.expect) {
  scenario.name = "stage";
  expect.client.outcome = scenario::ExpectClient::Outcome::any;
}

Verdict Stage::judge(Statistics statistics) const {
  std::vector<journal::Run> runs;
  runs.push_back(run.build());
  for (const RunBuilder& one : more) runs.push_back(one.build());
  return verify(scenario, runs, statistics);
}

void Stage::backoff(Duration base, Duration cap, scenario::Jitter jitter) {
  expect.backoff = scenario::ExpectBackoff{.base = base, .cap = cap, .jitter = jitter};
}

void Stage::failing(const std::vector<Duration>& waits, int status) {
  Duration at{0};
  run.get(at).answered(status);
  for (const Duration wait : waits) {
    at += wait + std::chrono::milliseconds(1);
    run.get(at).answered(status);
  }
}

RuleResult result_of(const Verdict& verdict, const std::string& id) {
  const auto found = std::ranges::find(verdict.rules, id, &RuleResult::id);
  if (found != verdict.rules.end()) return *found;
  ADD_FAILURE() << "there is no rule " << id;
  return {};
}

std::string ids_with(const Verdict& verdict, Status status) {
  std::string ids;
  for (const RuleResult& rule : verdict.rules) {
    if (rule.status != status) continue;
    if (!ids.empty()) ids += ' ';
    ids += rule.id;
  }
  return ids;
}

namespace {

// Judges the row; `failed` are the ids of all rules that may fail.
RuleResult expect_row(const std::string& id, const Row& row, const std::string& failed) {
  Stage stage;
  row.tell(stage);
  const Verdict verdict = stage.judge();
  RuleResult result = result_of(verdict, id);
  EXPECT_EQ(word(result.status), word(row.status))
      << id << ": " << row.story << "\n  observed: " << result.observed;
  EXPECT_EQ(ids_with(verdict, Status::fail), failed) << id << ": " << row.story;
  EXPECT_FALSE(result.observed.empty()) << id << ": " << row.story;
  return result;
}

std::string joined(const std::string& one, const std::string& other) {
  return one + (one.empty() || other.empty() ? "" : " ") + other;
}

}  // namespace

void expect_rows(const std::string& id, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const bool fails = row.status == Status::fail;
    const RuleResult result = expect_row(id, row, joined(fails ? id : "", row.also));
    if (!fails) continue;
    EXPECT_FALSE(result.attempts.empty()) << id << ": " << row.story;
    EXPECT_FALSE(result.advice.empty()) << id << ": " << row.story;
    EXPECT_FALSE(result.expected.empty()) << id << ": " << row.story;
  }
}

void expect_plain(const std::string& id, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const bool fails = row.status == Status::fail;
    const RuleResult result = expect_row(id, row, joined(row.also, fails ? id : ""));
    EXPECT_TRUE(result.source.empty());
  }
}

}  // namespace retrylab::verify
