// SPDX-License-Identifier: MIT
// Whether the operation took effect: `executes` against the place of the fault.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;

struct ExecutionCase {
  std::string_view name;
  std::string_view status_and_executes;
  std::string_view fault;  // "" : none
  bool executed = false;
};

class execution : public testing::TestWithParam<ExecutionCase> {};

TEST_P(execution, is_decided_by_the_step_and_the_place_of_its_fault) {
  const ExecutionCase& row = GetParam();
  const std::string fault = row.fault.empty() ? "" : fmt::format(R"(, "fault": {})", row.fault);
  ServerUnderTest server(
      fmt::format(R"("routes": [ {{"on": "POST /", "creates": "payment", "script": [{{{}{}}}]}} ])",
                  row.status_and_executes, fault));
  const auto exchange = server.send(post("/", "", "12345"));
  server.deliver(exchange);
  EXPECT_EQ(server.attempt(1).executed, row.executed);
  EXPECT_EQ(server.created(), row.executed ? 1 : 0);
}

constexpr std::string_view kCreated = R"("status": 201)";
constexpr std::string_view kCommitted = R"("status": 504, "executes": true)";
constexpr std::string_view kReally = R"("status": 504, "executes": {"status": 201})";
constexpr std::string_view kPretended = R"("status": 201, "executes": false)";
constexpr std::string_view kFailed = R"("status": 503)";

INSTANTIATE_TEST_SUITE_P(
    table, execution,
    testing::Values(ExecutionCase{"a_2xx_executes", kCreated, "", true},
                    ExecutionCase{"a_503_does_not", kFailed, "", false},
                    ExecutionCase{"a_504_after_the_commit", kCommitted, "", true},
                    ExecutionCase{"a_504_with_the_real_answer", kReally, "", true},
                    ExecutionCase{"a_201_that_only_pretends", kPretended, "", false},
                    ExecutionCase{"cut_after_the_head", kCreated,
                                  R"({"do": "reset", "at": "request_headers"})", false},
                    ExecutionCase{"cut_inside_the_body", kCreated,
                                  R"({"do": "close", "at": {"request_byte": 2}})", false},
                    ExecutionCase{"answered_with_the_body_unread", kCreated,
                                  R"({"do": "leave_unread", "at": "request_headers"})", false},
                    ExecutionCase{"lost_at_the_request_end", kCreated,
                                  R"({"do": "reset", "at": "request_end"})", true},
                    ExecutionCase{"lost_at_the_response_start", kCreated,
                                  R"({"do": "close", "at": "response_start"})", true},
                    ExecutionCase{"lost_after_the_head", kCreated,
                                  R"({"do": "reset", "at": "response_headers"})", true},
                    ExecutionCase{"hung_after_the_commit", kCommitted,
                                  R"({"do": "stall", "at": "response_start"})", true},
                    ExecutionCase{"failed_and_lost", kFailed,
                                  R"({"do": "reset", "at": "response_start"})", false},
                    ExecutionCase{"pretended_and_lost", kPretended,
                                  R"({"do": "reset", "at": "response_start"})", false}),
    CaseName());

TEST(execution_time, is_before_the_delay_and_a_disconnect_does_not_undo_it) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "creates": "payment",
      "script": [ {"status": 201, "delay": "10s"} ]} ])");
  const auto exchange = server.send(post("/"));
  EXPECT_EQ(server.created(), 1);
  server.cut(exchange, 0);
  EXPECT_EQ(server.created(), 1);
  EXPECT_TRUE(server.attempt(1).executed);
}

TEST(execution_time, moved_after_the_delay) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "creates": "payment",
      "script": [ {"status": 201, "delay": "10s", "executes_at": "after_delay",
                   "body": "{{request.body}}"} ]} ])");
  const auto exchange = server.send(post("/", "", "the body"));
  EXPECT_EQ(exchange.lines(), (std::vector<std::string>{"wait 10s", "ask"}));
  EXPECT_EQ(server.created(), 0);
  server.now = Instant(10s);
  const wire::Plan plan = server.engine().resume(exchange.id, server.now);
  EXPECT_EQ(server.created(), 1);
  EXPECT_TRUE(bytes_of(plan).ends_with("\r\n\r\nthe body"));
  server.deliver({exchange.id, {}, plan});
  EXPECT_TRUE(server.attempt(1).executed);
  EXPECT_EQ(server.attempt(1).planned.delay, 10s);
}

TEST(execution_time, after_the_delay_is_prevented_by_a_disconnect) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "creates": "payment", "idempotency": {},
      "script": [ {"status": 201, "delay": "10s", "executes_at": "after_delay"}, 202 ]} ])");
  const auto exchange = server.send(post("/", "k1"));
  server.now += 1s;
  EXPECT_EQ(server.status_of(post("/", "k1")), 409);
  server.cut(exchange, 0);
  EXPECT_EQ(server.created(), 0);
  EXPECT_FALSE(server.attempt(1).executed);
  EXPECT_EQ(server.status_of(post("/", "k1")), 202) << "the key is free again";
}

TEST(resource, is_journalled_with_the_attempt_that_made_it) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "creates": "payment", "idempotency": {},
      "script": [503, 201]} ])");
  server.status_of(post("/", "k1"));
  server.now += 2s;
  server.status_of(post("/", "k1"));
  const journal::Run run = server.run();
  ASSERT_EQ(run.resources.size(), 1);
  EXPECT_EQ(run.resources[0].kind, "payment");
  EXPECT_EQ(run.resources[0].attempt, 2);
  EXPECT_EQ(run.resources[0].key, "k1");
  EXPECT_EQ(run.resources[0].at, Instant(2s));
  EXPECT_EQ(run.resources[0].id, run.attempts[1].resource);
}

}  // namespace
}  // namespace retrylab::engine
