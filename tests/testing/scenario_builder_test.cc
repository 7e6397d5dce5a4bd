// SPDX-License-Identifier: MIT
#include "testing/scenario_builder.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace retrylab::testing {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

TEST(ScenarioBuilder, says_what_the_file_says) {
  ScenarioBuilder builder("charge-once");
  builder.route("POST /v1/payments")
      .creates("payment")
      .keeps_keys()
      .answers(429)
      .retry_after(2s)
      .answers(201)
      .json(R"({"id": "{{resource.id}}"})")
      .header("X-One", "1")
      .delay(250ms)
      .executes(true)
      .fault("reset", "response_start")
      .answers(200)
      .body("text")
      .times(3)
      .fault_at_byte("close", "body_byte", 2)
      .after_script("fail")
      .expects_profile("careful")
      .expects_attempts(3)
      .expects_created("payment", 1)
      .expects_client("any")
      .expects("total_time", R"({"max": "30s"})");
  EXPECT_EQ(json::parse(builder.text()), json::parse(R"({
    "name": "charge-once",
    "routes": [{
      "on": "POST /v1/payments", "creates": "payment",
      "idempotency": {"header": "Idempotency-Key", "required": true},
      "script": [
        {"status": 429, "retry_after": "2s"},
        {"status": 201, "json": {"id": "{{resource.id}}"}, "headers": [["X-One", "1"]],
         "delay": "250ms", "executes": true, "fault": [{"do": "reset", "at": "response_start"}]},
        {"status": 200, "body": "text", "times": 3,
         "fault": [{"do": "close", "at": {"body_byte": 2}}]}],
      "after_script": "fail"}],
    "expect": {"profile": "careful", "attempts": 3, "created": {"payment": 1}, "client": "any",
               "total_time": {"max": "30s"}}})"));
  const auto scenario = builder.build();
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(scenario->routes.at(0).script.size(), 3U);
  EXPECT_EQ(scenario->routes[0].script[1].faults.at(0).text, "reset at response_start");
}

TEST(ScenarioBuilder, gives_every_mistake_at_once) {
  const auto scenario =
      ScenarioBuilder("t").route("GET /").answers(999).answers(200).fault("explode", "now").build();
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().code, ErrorCode::invalid_scenario);
  EXPECT_NE(scenario.error().message.find("999"), std::string::npos) << scenario.error().message;
  EXPECT_NE(scenario.error().message.find("explode"), std::string::npos);
}

TEST(ScenarioBuilder, json_that_is_none_is_refused) {
  EXPECT_FALSE(ScenarioBuilder("t").route("GET /").answers(200).json("{").build());
  EXPECT_FALSE(
      ScenarioBuilder("t").route("GET /").answers(200).expects("attempts", "many").build());
}

}  // namespace
}  // namespace retrylab::testing
