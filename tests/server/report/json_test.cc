// SPDX-License-Identifier: MIT
#include "server/report/json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/server/report/synthetic.h"

namespace retrylab::report {
namespace {

using nlohmann::json;

json parsed(const Synthetic& made) {
  return json::parse(json_report(made.report()));
}

TEST(JsonReport, says_what_was_judged_and_how_to_do_it_again) {
  const auto report = parsed(early_client());
  EXPECT_EQ(report["retrylab"], version());
  EXPECT_EQ(report["verdict"], "fail");
  EXPECT_EQ(report["scenario"]["name"], "busy-then-paid");
  EXPECT_EQ(report["scenario"]["hash"], "0123456789abcdef");
  EXPECT_EQ(report["seed"], 42);
  EXPECT_EQ(report["command"], "retrylab run pay.json --seed 42 -- ./client");
  EXPECT_EQ(report["host"]["lag_ms_max"], 1.3);
  EXPECT_EQ(report["runs"][0]["client"]["exit"], 0);
}

TEST(JsonReport, a_rule_comes_with_its_evidence) {
  const auto rule = parsed(early_client())["rules"][1];
  EXPECT_EQ(rule["id"], "RA-1");
  EXPECT_EQ(rule["status"], "fail");
  EXPECT_EQ(rule["missed_by_ms"], 1999.2);
  EXPECT_EQ(rule["attempts"], json::parse(R"([{"run":1,"attempt":2},{"run":1,"attempt":3}])"));
}

TEST(JsonReport, an_attempt_says_where_it_stands) {
  const auto attempts = parsed(early_client())["attempts"];
  ASSERT_EQ(attempts.size(), 3U);
  EXPECT_EQ(attempts[0]["gap_ms"], nullptr);
  EXPECT_EQ(attempts[1]["gap_ms"], 250.8);
  EXPECT_EQ(attempts[1]["operation"], 1);
  EXPECT_EQ(attempts[1]["planned"]["retry_after"], json::parse(R"(["2"])"));
  EXPECT_EQ(attempts[2]["resource"], "payment_1");
  EXPECT_EQ(attempts[2]["headers"], json::parse(R"([["Host","x"]])"));
}

TEST(JsonReport, an_attempt_of_no_operation_is_listed_as_unmatched_with_the_near_misses) {
  auto made = passing(1);
  auto stray = answered(2, milliseconds(5), 404);
  stray.planned.source = journal::Source::unmatched;
  stray.planned.near_misses = {"POST /v1/payment: another path"};
  made.runs[0].attempts.push_back(stray);
  const auto report = parsed(made);
  EXPECT_EQ(report["attempts"][1]["operation"], nullptr);
  ASSERT_EQ(report["unmatched"].size(), 1U);
  EXPECT_EQ(report["unmatched"][0]["near_misses"][0], "POST /v1/payment: another path");
}

TEST(JsonReport, bytes_that_are_not_utf8_do_not_break_it) {
  auto made = passing(1);
  made.runs[0].attempts[0].target = "/\xff";
  EXPECT_EQ(parsed(made)["attempts"][0]["target"], "/\xEF\xBF\xBD");
}

TEST(JsonReport, the_same_runs_give_the_same_bytes) {
  EXPECT_EQ(json_report(early_client().report()), json_report(early_client().report()));
}

TEST(JsonReport, a_herd_lists_every_client) {
  auto made = passing(1);
  made.runs[0].clients.resize(3);
  const auto run = parsed(made)["runs"][0];
  EXPECT_EQ(run["client"], nullptr);
  EXPECT_EQ(run["clients"].size(), 3U);
}

TEST(JsonReport, its_schema_is_json) {
  EXPECT_TRUE(json::accept(json_report_schema()));
}

}  // namespace
}  // namespace retrylab::report
