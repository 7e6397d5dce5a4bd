// SPDX-License-Identifier: MIT
// What routes and the top level of the file become as values.
#include "server/scenario/scenario.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client_lib/base/sha256.h"
#include "server/scenario/load.h"
#include "tests/server/scenario/loading.h"

namespace retrylab::scenario {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

Scenario with(const std::string& members) {
  return loaded(R"({"name": "x", "routes": [{"on": "POST /a/{id}", "script": [200]}], )" + members +
                "}");
}

TEST(Scenario, has_defaults_for_all_but_name_and_routes) {
  const std::string text = R"({"name": "x", "routes": [{"on": "GET /", "script": [200]}]})";
  const Scenario scenario = loaded(text);
  EXPECT_EQ(scenario.name, "x");
  EXPECT_EQ(scenario.seed, std::nullopt);
  EXPECT_EQ(scenario.clock, ClockZero::first_connection);
  EXPECT_EQ(scenario.operation.kind, OperationBy::Kind::automatic);
  EXPECT_TRUE(scenario.connections.empty());
  EXPECT_TRUE(scenario.outages.empty());
  EXPECT_EQ(scenario.limits.connections, 20'000U);
  EXPECT_EQ(scenario.limits.delay, hours(1));
  EXPECT_EQ(scenario.expect.client.outcome, ExpectClient::Outcome::succeeds);
  EXPECT_EQ(scenario.hash, to_hex(sha256(text)).substr(0, 16));
}

TEST(Scenario, operations_are_told_by_one_thing) {
  using Kind = OperationBy::Kind;
  struct Row {
    std::string json;
    Kind kind;
    std::string name;
  };
  const std::vector<Row> rows{{R"({"header": "X-Op"})", Kind::header, "X-Op"},
                              {R"({"path": "id"})", Kind::path, "id"},
                              {R"({"query": "op"})", Kind::query, "op"},
                              {R"({"body": "/op/id"})", Kind::body, "/op/id"}};
  for (const Row& row : rows) {
    const OperationBy operation = with(R"("operation": )" + row.json).operation;
    EXPECT_EQ(operation.kind, row.kind);
    EXPECT_EQ(operation.name, row.name);
  }
}

TEST(Scenario, connections_outages_and_limits_are_read) {
  const Scenario scenario = with(
      R"("clock": "ready", "seed": 9,
         "connections": [{"fault": {"do": "reset", "at": "accept"}, "times": 2}, {}],
         "outages": [{"until": "1s"},
                     {"from": "2s", "until": "3s", "answer": {"status": 429, "retry_after": "1s"}},
                     {"from": "4s", "until": "5s", "do": "hang"}],
         "limits": {"connections": 5, "header_bytes": "1KB", "delay": "2s"})");
  EXPECT_EQ(scenario.clock, ClockZero::ready);
  EXPECT_EQ(scenario.seed, 9U);
  ASSERT_EQ(scenario.connections.size(), 2U);
  EXPECT_EQ(scenario.connections[0].times, 2U);
  EXPECT_EQ(scenario.connections[0].faults.at(0).text, "reset at accept");
  EXPECT_TRUE(scenario.connections[1].faults.empty());
  ASSERT_EQ(scenario.outages.size(), 3U);
  EXPECT_EQ(scenario.outages[0].from, seconds(0));
  EXPECT_EQ(scenario.outages[0].answer.status, 503);
  EXPECT_EQ(scenario.outages[1].answer.status, 429);
  EXPECT_EQ(scenario.outages[1].until, seconds(3));
  EXPECT_EQ(scenario.outages[2].what, Outage::Do::hang);
  EXPECT_EQ(scenario.limits.connections, 5U);
  EXPECT_EQ(scenario.limits.header_bytes, 1'000U);
  EXPECT_EQ(scenario.limits.body_bytes, Limits{}.body_bytes);
  EXPECT_EQ(scenario.limits.delay, seconds(2));
}

// "KIND:TEXT" per segment.
std::vector<std::string> segments(const std::string& on) {
  const Scenario scenario =
      loaded(R"({"name": "x", "routes": [{"on": ")" + on + R"(", "script": [200]}]})");
  std::vector<std::string> list;
  for (const PathSegment& segment : scenario.routes.at(0).on.path) {
    static const char* const kKinds[] = {"literal:", "parameter:", "rest:"};
    list.push_back(kKinds[static_cast<std::size_t>(segment.kind)] + segment.text);
  }
  return list;
}

TEST(Route, a_path_is_split_at_each_slash) {
  using testing::ElementsAre;
  EXPECT_THAT(segments("GET /"), ElementsAre("literal:"));
  EXPECT_THAT(segments("GET /v1/"), ElementsAre("literal:v1", "literal:"));
  EXPECT_THAT(segments("GET /v1/{id}/x"), ElementsAre("literal:v1", "parameter:id", "literal:x"));
  EXPECT_THAT(segments("GET /f/{p...}"), ElementsAre("literal:f", "rest:p"));
  EXPECT_THAT(segments("GET /a%20b/c:d"), ElementsAre("literal:a%20b", "literal:c:d"));
}

TEST(Route, a_match_keeps_its_text_and_its_conditions) {
  const Scenario scenario = loaded(
      R"({"name": "x", "routes": [
           {"on": "* /a", "script": [200]},
           {"on": {"method": "POST", "path": "/v1/{id}", "headers": {"X-T": "acme"},
                   "query": {"debug": {"present": false}}, "body": {"/n": 1.50}},
            "script": [200]}]})");
  EXPECT_EQ(scenario.routes[0].on.method, "");
  EXPECT_EQ(scenario.routes[0].on.text, "* /a");
  const Match& on = scenario.routes[1].on;
  EXPECT_EQ(on.method, "POST");
  EXPECT_EQ(on.text, "POST /v1/{id} [header X-T = acme, no query debug, body /n = 1.50]");
  EXPECT_EQ(on.headers.at(0).test, Condition::Test::equals);
  EXPECT_EQ(on.headers.at(0).value, "acme");
  EXPECT_EQ(on.query.at(0).test, Condition::Test::absent);
  EXPECT_EQ(on.body.at(0).value, "1.50");
}

TEST(Route, count_by_and_after_script_are_words_of_the_file) {
  EXPECT_EQ(loaded_route(R"("creates": "payment")").creates, "payment");
  EXPECT_EQ(loaded_route(R"("after_script": "fail")").after_script, AfterScript::fail);
  EXPECT_EQ(loaded_route(R"("count_by": "client")").count_by.kind, CountBy::Kind::client);
  const CountBy header = loaded_route(R"("count_by": "header:X-Client")").count_by;
  EXPECT_EQ(header.kind, CountBy::Kind::header);
  EXPECT_EQ(header.name, "X-Client");
}

TEST(Route, idempotency_follows_the_draft_unless_told_otherwise) {
  const Idempotency plain = *loaded_route(R"("idempotency": {})").idempotency;
  EXPECT_EQ(plain.header, "Idempotency-Key");
  EXPECT_FALSE(plain.required || plain.strict_syntax);
  EXPECT_EQ(plain.in_flight, Idempotency::InFlight::conflict);
  EXPECT_EQ(plain.store, Idempotency::Store::executed);
  EXPECT_EQ(plain.ttl, kForever);
  EXPECT_EQ(plain.replay_header, "Idempotent-Replayed");
  EXPECT_TRUE(plain.check_payload);
  const Idempotency told =
      *loaded_route(R"("idempotency": {"header": "X-Key", "required": true, "syntax": "strict",
                        "in_flight": "wait", "store": "every", "ttl": "24h", "replay_header": "",
                        "check_payload": false})")
           .idempotency;
  EXPECT_EQ(told.header, "X-Key");
  EXPECT_TRUE(told.required && told.strict_syntax);
  EXPECT_EQ(told.in_flight, Idempotency::InFlight::wait);
  EXPECT_EQ(told.store, Idempotency::Store::every);
  EXPECT_EQ(told.ttl, hours(24));
  EXPECT_EQ(told.replay_header, "");
  EXPECT_FALSE(told.check_payload);
}

TEST(Route, overrides_have_a_when_and_a_step) {
  const Route route = loaded_route(
      R"("overrides": [
           {"when": {"attempt": 2, "connection": 3, "request_on_connection": 4, "replay": 5,
                     "elapsed": {"from": "1s", "until": "2s"}, "concurrency": {"min": 6},
                     "headers": {"X-A": "1"}, "body": {"/b": true}}, "status": 500},
           {"when": {"replay": 1}, "fault": {"do": "reset", "at": "response_start"}}])");
  ASSERT_EQ(route.overrides.size(), 2U);
  const When& when = route.overrides[0].when;
  EXPECT_EQ(when.attempt, 2U);
  EXPECT_EQ(when.connection, 3U);
  EXPECT_EQ(when.request_on_connection, 4U);
  EXPECT_EQ(when.replay, 5U);
  EXPECT_EQ(when.elapsed_from, seconds(1));
  EXPECT_EQ(when.elapsed_until, seconds(2));
  EXPECT_EQ(when.concurrency_min, 6U);
  EXPECT_EQ(when.headers.at(0).name, "X-A");
  EXPECT_EQ(when.body.at(0).value, "true");
  EXPECT_EQ(route.overrides[0].step.status, 500);
  EXPECT_EQ(route.overrides[0].step.where, "/routes/0/overrides/0");
  EXPECT_EQ(route.overrides[1].step.status, std::nullopt);
  EXPECT_EQ(route.overrides[1].step.faults.size(), 1U);
}

}  // namespace
}  // namespace retrylab::scenario
