// SPDX-License-Identifier: MIT
// Faults on a connection that is kept alive, and how long one is kept.
#include <chrono>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/raw_client.h"
#include "tests/server/runs/wire.h"

namespace retrylab::runs {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Between {
  std::string_view name;
  std::string_view fault;
  bool sends_next = false;
  std::string bytes;  // after the first answer
  Seen end = Seen::fin;
  std::size_t attempts = 1;
};

class fault_between_requests : public testing::TestWithParam<Between> {};

TEST_P(fault_between_requests, is_what_the_kernel_sees) {
  const Between& cell = GetParam();
  Running running(scenario_of(fmt::format(R"({{"status": 200, "fault": {}}})", cell.fault)));
  RawClient client(running.url());
  client.send(kGet);
  EXPECT_THAT(client.answer(), StartsWith(kOk));
  if (cell.sends_next) client.send(kPost);
  const Received received = client.receive_all();
  EXPECT_THAT(received.bytes, StartsWith(cell.bytes));
  EXPECT_EQ(received.bytes.empty(), cell.bytes.empty());
  EXPECT_EQ(received.end, cell.end);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), cell.attempts);
  ASSERT_EQ(run.connections.size(), 1u);
  EXPECT_FALSE(run.connections[0].planned_faults.empty());
  EXPECT_TRUE(run.connections[0].faults_delivered);
  EXPECT_EQ(run.steps_unused, 1u);
  if (cell.attempts < 2) return;
  EXPECT_EQ(run.attempts[1].planned.source, journal::Source::connection);
  EXPECT_EQ(run.attempts[1].method, "POST");
  EXPECT_TRUE(run.attempts[1].delivered.faults_delivered);
}

INSTANTIATE_TEST_SUITE_P(
    table, fault_between_requests,
    testing::Values(Between{"close_at_idle", R"({"do": "close", "at": {"idle": "20ms"}})"},
                    Between{"reset_at_idle", R"({"do": "reset", "at": {"idle": "20ms"}})", false,
                            "", Seen::rst},
                    Between{"unsolicited_at_idle_then_close",
                            R"([{"do": "unsolicited", "at": {"idle": "10ms"}},
                    {"do": "close", "at": {"idle": "20ms"}}])",
                            false, "HTTP/1.1 408 Request Timeout\r\n"},
                    Between{"close_at_next_request", R"({"do": "close", "at": "next_request"})",
                            true, "", Seen::fin, 2},
                    Between{"reset_at_next_request", R"({"do": "reset", "at": "next_request"})",
                            true, "", Seen::rst, 2},
                    Between{"close_when_the_next_request_is_whole",
                            R"({"do": "close", "at": "next_request", "read": "all"})", true, "",
                            Seen::fin, 2},
                    Between{"reset_when_the_next_request_begins",
                            R"({"do": "reset", "at": "next_request", "read": "none"})", true, "",
                            Seen::rst, 1}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(unsolicited_at_next_request, comes_before_the_answer_that_is_asked_for) {
  Running running(scenario_of(R"({"status": 200, "fault":
      {"do": "unsolicited", "at": "next_request",
       "bytes": "HTTP/1.1 204 No Content\r\n\r\n"}})"));
  RawClient client(running.url());
  client.send(kGet);
  client.answer();
  client.send(kGet);
  EXPECT_EQ(client.answer(), "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_THAT(client.answer(), StartsWith(kOk));
}

TEST(request_before_the_idle_time, is_served_and_leaves_the_fault_undelivered) {
  Running running(
      scenario_of(R"({"status": 200, "fault": {"do": "reset", "at": {"idle": "1h"}}})"));
  RawClient client(running.url());
  client.send(kGet);
  client.answer();
  client.send(kGet);
  EXPECT_THAT(client.answer(), StartsWith(kOk));
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  EXPECT_EQ(run.attempts.size(), 2u);
  EXPECT_TRUE(run.attempts[0].delivered.faults_delivered);
  EXPECT_FALSE(run.connections[0].faults_delivered);
}

TEST(keep_alive, announces_its_last_answer_or_ends_silently) {
  for (const bool announced : {true, false}) {
    Running running(fmt::format(R"({{"name": "t",
        "keep_alive": {{"requests": 2, "announced": {}}},
        "routes": [{{"on": "* /", "script": [200]}}]}})",
                                announced));
    RawClient client(running.url());
    client.send(kGet);
    EXPECT_THAT(client.answer(), testing::Not(HasSubstr("Connection: close")));
    client.send(kGet);
    const Received received = client.receive_all();
    EXPECT_EQ(received.bytes.find("Connection: close") != std::string::npos, announced);
    EXPECT_EQ(received.end, Seen::fin);
  }
}

TEST(keep_alive, ends_an_idle_connection_exactly_in_time) {
  Running running(R"({"name": "t", "keep_alive": {"idle": "30ms"},
      "routes": [{"on": "* /", "script": [200]}]})");
  RawClient idle(running.url());
  RawClient used(running.url());
  used.send(kGet);
  used.answer();
  EXPECT_EQ(idle.receive_all().end, Seen::fin);
  EXPECT_EQ(used.receive_all().end, Seen::fin);
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  const std::chrono::milliseconds limit(30);
  EXPECT_GE(*run.connections[0].closed - run.connections[0].accepted, limit);
  EXPECT_GE(*run.connections[1].closed - *run.attempts[0].delivered.ended, limit);
  EXPECT_TRUE(run.connections[0].faults_delivered) << "a limit is no fault";
}

TEST(pipelined_request, is_served_although_the_connection_may_idle) {
  Running running(R"({"name": "t", "keep_alive": {"idle": "1h"},
      "routes": [{"on": "* /", "script": [200]}]})");
  RawClient client(running.url());
  client.send(kGet + kGet);
  EXPECT_THAT(client.answer(), StartsWith(kOk));
  EXPECT_THAT(client.answer(), StartsWith(kOk));
}

}  // namespace
}  // namespace retrylab::runs
