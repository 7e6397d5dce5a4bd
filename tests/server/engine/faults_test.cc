// SPDX-License-Identifier: MIT
// Where a fault's actions stand in the plan, and when it counts as delivered.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::ElementsAreArray;

using Lines = std::vector<std::string>;

struct FaultCase {
  std::string_view name;
  std::string_view step;
  Lines head;      // answered to the head
  Lines plan;      // answered to the body
  int status = 0;  // planned
  bool complete = false;
  bool executed = true;
};

class fault : public testing::TestWithParam<FaultCase> {};

TEST_P(fault, stands_at_its_moment) {
  const FaultCase& row = GetParam();
  ServerUnderTest server(
      fmt::format(R"("routes": [ {{"on": "POST /", "script": [{}]}} ])", row.step));
  const Answer answer = server.head(post("/", "", "12345"));
  EXPECT_THAT(lines_of(answer.plan), ElementsAreArray(row.head));
  wire::Plan plan;
  if (!row.plan.empty()) plan = server.body(answer.attempt, "12345");
  EXPECT_THAT(lines_of(plan), ElementsAreArray(row.plan));
  server.deliver({answer.attempt, {}, row.plan.empty() ? answer.plan : plan});
  const journal::Attempt attempt = server.attempt(answer.attempt);
  EXPECT_EQ(attempt.planned.status, row.status);
  EXPECT_EQ(attempt.planned.complete, row.complete);
  EXPECT_EQ(attempt.executed, row.executed);
  EXPECT_TRUE(attempt.delivered.faults_delivered);
  EXPECT_EQ(attempt.delivered.ending, journal::Ending::delivered);
}

const Lines kRead{"read body_end"};
const std::string kHead = "write HTTP/1.1 200 OK (head)";

INSTANTIATE_TEST_SUITE_P(
    table, fault,
    testing::Values(
        FaultCase{"reset_at_request_headers",
                  R"({"status": 200, "fault": {"do": "reset", "at": "request_headers"}})",
                  {"reset"},
                  {},
                  0,
                  false,
                  false},
        FaultCase{"stall_at_request_headers",
                  R"({"status": 200, "fault": {"do": "stall", "at": "request_headers"}})",
                  {"hold"},
                  {},
                  0,
                  false,
                  false},
        FaultCase{"stall_for_a_time_at_request_headers",
                  R"({"status": 200,
                      "fault": {"do": "stall", "for": "5s", "at": "request_headers"}})",
                  {"hold 5s", "read body_end"},
                  {kHead, "keep_alive"},
                  200,
                  true,
                  true},
        FaultCase{"garbage_at_request_headers",
                  R"({"status": 200,
                      "fault": {"do": "garbage", "bytes": "x", "at": "request_headers"}})",
                  {"write x", "read body_end"},
                  {kHead, "keep_alive"},
                  0,
                  false,
                  true},
        FaultCase{"half_close_at_request_headers",
                  R"({"status": 200, "fault": {"do": "half_close", "at": "request_headers"}})",
                  {"shutdown_write", "read body_end"},
                  {"hold"},
                  0,
                  false,
                  true},
        FaultCase{"reset_at_request_byte",
                  R"({"status": 200, "fault": {"do": "reset", "at": {"request_byte": 3}}})",
                  {"read body_byte 3", "reset"},
                  {},
                  0,
                  false,
                  false},
        FaultCase{"close_at_request_end",
                  R"({"status": 200, "fault": {"do": "close", "at": "request_end"}})",
                  kRead,
                  {"close"},
                  0,
                  false,
                  true},
        FaultCase{"a_fault_at_the_request_end_comes_before_the_delay",
                  R"({"status": 200, "delay": "1s",
                      "fault": {"do": "stall", "for": "2s", "at": "request_end"}})",
                  kRead,
                  {"hold 2s", "wait 3s", kHead, "keep_alive"},
                  200,
                  true,
                  true},
        FaultCase{"reset_at_response_start_comes_after_the_delay",
                  R"({"status": 200, "delay": "1s",
                      "fault": {"do": "reset", "at": "response_start"}})",
                  kRead,
                  {"wait 1s", "reset"},
                  0,
                  false,
                  true},
        FaultCase{"garbage_at_response_start",
                  R"({"status": 200,
                      "fault": {"do": "garbage", "bytes": "x", "at": "response_start"}})",
                  kRead,
                  {"write x", kHead, "keep_alive"},
                  0,
                  false,
                  true},
        FaultCase{"close_at_response_byte",
                  R"({"status": 200, "fault": {"do": "close", "at": {"response_byte": 12}}})",
                  kRead,
                  {"write HTTP/1.1 200", "close"},
                  0,
                  false,
                  true},
        FaultCase{"close_at_response_headers",
                  R"({"status": 200, "body": "hello",
                      "fault": {"do": "close", "at": "response_headers"}})",
                  kRead,
                  {kHead, "close"},
                  200,
                  false,
                  true},
        FaultCase{"reset_at_body_byte",
                  R"({"status": 200, "body": "hello",
                      "fault": {"do": "reset", "at": {"body_byte": 2}}})",
                  kRead,
                  {kHead, "reset"},
                  200,
                  false,
                  true},
        FaultCase{"stall_inside_the_body",
                  R"({"status": 200, "body": "hello",
                      "fault": {"do": "stall", "for": "1s", "at": {"body_byte": 2}}})",
                  kRead,
                  {kHead, "hold 1s", "write llo", "keep_alive"},
                  200,
                  true,
                  true},
        FaultCase{"garbage_inside_the_body",
                  R"({"status": 200, "body": "hello",
                      "fault": {"do": "garbage", "bytes": "#", "at": {"body_byte": 2}}})",
                  kRead,
                  {kHead, "write #", "write llo", "keep_alive"},
                  200,
                  false,
                  true},
        FaultCase{"half_close_inside_the_body",
                  R"({"status": 200, "body": "hello",
                      "fault": {"do": "half_close", "at": {"body_byte": 2}}})",
                  kRead,
                  {kHead, "shutdown_write", "hold"},
                  200,
                  false,
                  true},
        FaultCase{"reset_at_response_end",
                  R"({"status": 200, "fault": {"do": "reset", "at": "response_end"}})",
                  kRead,
                  {kHead, "reset"},
                  200,
                  true,
                  true},
        FaultCase{"reset_at_the_end_of_a_body_that_ends_by_close",
                  R"({"status": 200, "body": "hello", "framing": "close",
                      "fault": {"do": "reset", "at": "response_end"}})",
                  kRead,
                  {kHead, "reset"},
                  200,
                  false,
                  true},
        FaultCase{"close_at_the_end_of_a_body_that_ends_by_close",
                  R"({"status": 200, "body": "hello", "framing": "close",
                      "fault": {"do": "close", "at": "response_end"}})",
                  kRead,
                  {kHead, "close"},
                  200,
                  true,
                  true},
        FaultCase{"several_faults_in_their_order",
                  R"({"status": 200, "body": "hello", "fault": [
                      {"do": "stall", "for": "1s", "at": "request_headers"},
                      {"do": "stall", "for": "2s", "at": "response_start"},
                      {"do": "stall", "for": "3s", "at": "response_headers"},
                      {"do": "reset", "at": {"body_byte": 4}} ]})",
                  {"hold 1s", "read body_end"},
                  {"hold 2s", kHead, "hold 3s", "write hell", "reset"},
                  200,
                  false,
                  true},
        FaultCase{"leave_unread_keeps_the_connection",
                  R"({"status": 413, "fault": {"do": "leave_unread", "at": "request_headers"}})",
                  {"write HTTP/1.1 413 Content Too Large (head)", "discard", "keep_alive"},
                  {},
                  413,
                  true,
                  false},
        FaultCase{
            "leave_unread_and_close",
            R"({"status": 413, "headers": {"Connection": "close"},
                      "fault": {"do": "leave_unread", "at": {"request_byte": 2}}})",
            {"read body_byte 2", "write HTTP/1.1 413 Content Too Large (head)", "close unread"},
            {},
            413,
            true,
            false},
        FaultCase{"no_status_and_a_reset",
                  R"({"fault": {"do": "reset", "at": "response_start"}})",
                  kRead,
                  {"reset"},
                  0,
                  false,
                  false},
        FaultCase{"pace_of_the_body",
                  R"({"status": 200, "body": "hello", "pace": {"bytes": 1, "every": "1s"}})",
                  kRead,
                  {kHead, "pace 5 by 1 every 1s", "keep_alive"},
                  200,
                  true,
                  true},
        FaultCase{"write_sizes",
                  R"({"status": 204, "write_sizes": [1, 3]})",
                  kRead,
                  {"pace 1 by 1 every 0s", "pace 63 by 3 every 0s (head)", "keep_alive"},
                  204,
                  true,
                  true}),
    CaseName());

TEST(fault_at_body_byte, counts_body_bytes_and_not_chunk_sizes) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 200, "body": "hello world", "framing": "chunked", "chunks": [4],
       "fault": {"do": "reset", "at": {"body_byte": 6}}} ]} ])");
  EXPECT_THAT(server.send(get("/")).bytes(), testing::EndsWith("\r\n\r\n4\r\nhell\r\n4\r\no "));
}

TEST(fault_whose_moment_is_missing, is_not_delivered) {
  ServerUnderTest server(R"("routes": [ {"on": "* /", "script": [200],
      "overrides": [ {"when": {"attempt": 1},
                      "fault": {"do": "reset", "at": {"body_byte": 1}}} ] } ])");
  SimpleRequest head = get("/");
  head.method = "HEAD";
  server.deliver(server.send(head));
  EXPECT_FALSE(server.attempt(1).delivered.faults_delivered);
  EXPECT_EQ(server.attempt(1).delivered.ending, journal::Ending::delivered);
}

TEST(a_client_that_leaves_before_the_fault, leaves_it_undelivered) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 200, "delay": "5s", "fault": {"do": "reset", "at": "response_start"}} ]} ])");
  const auto exchange = server.send(get("/"));
  server.now += 1s;
  server.cut(exchange, 0);
  const journal::Delivered delivered = server.attempt(1).delivered;
  EXPECT_FALSE(delivered.faults_delivered);
  EXPECT_EQ(delivered.ending, journal::Ending::peer_left);
  EXPECT_EQ(delivered.peer_left, Instant() + 1s);
}

TEST(a_client_that_leaves_before_the_fault, leaves_it_undelivered_while_its_body_is_read) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "creates": "payment", "script": [
      {"status": 201, "fault": {"do": "reset", "at": "response_start"}} ]} ])");
  const Answer answer = server.head(post("/"));
  server.cut({answer.attempt, {}, answer.plan}, 0);
  const journal::Attempt attempt = server.attempt(1);
  EXPECT_FALSE(attempt.delivered.faults_delivered);
  EXPECT_EQ(attempt.planned.step, "/routes/0/script/0");
  EXPECT_FALSE(attempt.executed);
  EXPECT_EQ(attempt.body_read, std::nullopt);
  EXPECT_EQ(server.created(), 0);
}

// The peer's leaving is the only end of such a stall.
TEST(a_stall_for_ever, is_delivered_once_it_is_reached) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 200, "body": "hello", "fault": {"do": "stall", "at": "response_headers"}} ]} ])");
  const auto exchange = server.send(get("/"));
  EXPECT_THAT(exchange.lines(), ElementsAre(kHead, "hold"));
  server.cut(exchange, 1);
  EXPECT_TRUE(server.attempt(1).delivered.faults_delivered);
  EXPECT_EQ(server.attempt(1).delivered.ending, journal::Ending::delivered);
}

TEST(a_fault_is_spent_when_planned, whatever_the_client_does) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 200, "delay": "5s", "fault": {"do": "reset", "at": "response_start"}}, 204 ]} ])");
  server.cut(server.send(get("/")), 0);
  EXPECT_EQ(server.status_of(get("/")), 204);
}

}  // namespace
}  // namespace retrylab::engine
