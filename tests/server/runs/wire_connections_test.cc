// SPDX-License-Identifier: MIT
// The `connections` script, the closed port, the limit of connections.
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

using testing::StartsWith;

struct Accepting {
  std::string_view name;
  std::string_view position;
  std::string request;
  std::string bytes;
  Seen end = Seen::fin;
};

class connection_position : public testing::TestWithParam<Accepting> {};

TEST_P(connection_position, is_what_the_kernel_sees) {
  const Accepting& cell = GetParam();
  Running running(fmt::format(R"({{"name": "t", "connections": [{}],
      "routes": [{{"on": "* /", "script": [200]}}]}})",
                              cell.position));
  RawClient client(running.url());
  client.send(cell.request);
  const Received received = cell.end == Seen::nothing
                                ? client.receive_until_silent(cell.bytes.size())
                                : client.receive_all();
  EXPECT_EQ(received.bytes, cell.bytes);
  EXPECT_EQ(received.end, cell.end);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  EXPECT_TRUE(run.attempts.empty());
  ASSERT_EQ(run.connections.size(), 1u);
  EXPECT_FALSE(run.connections[0].planned_faults.empty());
  EXPECT_TRUE(run.connections[0].faults_delivered);
}

std::string cutting(std::string_view effect, std::string_view moment, std::string_view read = "") {
  const std::string more = read.empty() ? "" : fmt::format(R"(, "read": "{}")", read);
  return fmt::format(R"({{"fault": {{"do": "{}", "at": "{}"{}}}}})", effect, moment, more);
}

const std::string kCloseAtAccept = cutting("close", "accept");
const std::string kHalfCloseAtAccept = cutting("half_close", "accept");
const std::string kResetAtAccept = cutting("reset", "accept");
const std::string kStallAtAccept = cutting("stall", "accept");
const std::string kCloseAtStart = cutting("close", "request_start");
const std::string kResetAtStart = cutting("reset", "request_start");
const std::string kStallAtStart = cutting("stall", "request_start");
const std::string kCloseAfterHead = cutting("close", "request_start", "head");
const std::string kResetAfterAll = cutting("reset", "request_start", "all");

INSTANTIATE_TEST_SUITE_P(
    table, connection_position,
    testing::Values(Accepting{"close_at_accept", kCloseAtAccept, "", ""},
                    Accepting{"reset_at_accept", kResetAtAccept, "", "", Seen::rst},
                    Accepting{"stall_at_accept", kStallAtAccept, kGet, "", Seen::nothing},
                    Accepting{"close_at_request_start", kCloseAtStart, "G", ""},
                    Accepting{"reset_at_request_start", kResetAtStart, "G", "", Seen::rst},
                    Accepting{"stall_at_request_start", kStallAtStart, kGet, "", Seen::nothing},
                    Accepting{"close_after_the_head", kCloseAfterHead, kPost, ""},
                    Accepting{"reset_after_the_request", kResetAfterAll, kPost, "", Seen::rst},
                    Accepting{"accept_and_hang", R"({"accept_and_hang": "1h"})", kGet, "",
                              Seen::nothing}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(connection_position_after_the_head, waits_for_the_head) {
  Running running(fmt::format(R"({{"name": "t", "connections": [{}],
      "routes": [{{"on": "* /", "script": [200]}}]}})",
                              kCloseAfterHead));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\n");
  EXPECT_TRUE(client.silent());
  client.send("Content-Length: 4\r\n\r\n");
  EXPECT_EQ(client.receive_all().end, Seen::fin);
}

TEST(half_close_at_accept, still_reads_the_request_and_never_answers) {
  Running running(fmt::format(R"({{"name": "t", "connections": [{}],
      "routes": [{{"on": "* /", "script": [200]}}]}})",
                              kHalfCloseAtAccept));
  RawClient client(running.url());
  EXPECT_EQ(client.receive_all().end, Seen::fin);
}

// ---- The listener ------------------------------------------------------------------------

// How many connects are refused before one is not. The windows are so long that a host which
// stalls on the way here still meets them closed.
int refused_connects(const std::string& url) {
  int refused = 0;
  while (!RawClient::can_connect(url)) ++refused;
  return refused;
}

TEST(refuse_in_connections, closes_the_port_for_its_time_and_keeps_it) {
  Running running(R"({"name": "t", "connections": [{}, {"refuse": "1s"}, {}],
      "routes": [{"on": "* /", "script": [200]}]})");
  RawClient first(running.url());
  first.send(kGet);
  EXPECT_THAT(first.answer(), StartsWith(kOk)) << "the window touches no connection that stands";
  EXPECT_GT(refused_connects(running.url()), 0);
  RawClient last(running.url());
  last.send(kGet);
  EXPECT_THAT(last.answer(), StartsWith(kOk));
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.pauses.size(), 1u);
  EXPECT_EQ(run.pauses[0].why, "refused by connections");
  EXPECT_EQ(run.pauses[0].until, run.connections[0].accepted + std::chrono::seconds(1));
  ASSERT_EQ(run.connections.size(), 3u);
  EXPECT_GE(run.connections[1].accepted, run.pauses[0].until) << "never early";
}

TEST(refuse_by_the_clock, begins_when_the_run_is_ready) {
  Running running(R"({"name": "t", "clock": "ready",
      "outages": [{"until": "1s", "do": "refuse"}],
      "routes": [{"on": "* /", "script": [200]}]})");
  EXPECT_GT(refused_connects(running.url()), 0);
  RawClient last(running.url());
  last.send(kGet);
  EXPECT_THAT(last.answer(), StartsWith(kOk));
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.connections.size(), 2u);
  EXPECT_GE(run.connections[0].accepted, Instant(std::chrono::seconds(1)));
  EXPECT_EQ(run.pauses.at(0).why, "refused by an outage");
}

TEST(half_close_at_accept, is_no_leaving_of_the_client) {
  Running running(fmt::format(R"({{"name": "t", "connections": [{}],
      "routes": [{{"on": "* /", "script": [200]}}]}})",
                              kHalfCloseAtAccept));
  RawClient client(running.url());
  EXPECT_EQ(client.receive_all().end, Seen::fin);
  client.send(kGet);
  EXPECT_EQ(client.receive_until_silent(0).bytes, "");
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_FALSE(run.attempts[0].planned.complete);
  EXPECT_EQ(run.attempts[0].delivered.ending, journal::Ending::delivered);
}

TEST(limit_of_connections, is_in_the_journal) {
  Running running(R"({"name": "t", "limits": {"connections": 1},
      "routes": [{"on": "* /", "script": [200]}]})");
  RawClient first(running.url());
  first.send(kGet);
  first.answer();
  RawClient second(running.url());
  second.send(kGet);
  EXPECT_TRUE(second.silent());
  first.close();
  EXPECT_THAT(second.answer(), StartsWith(kOk));
  second.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.pauses.size(), 1u);
  EXPECT_EQ(run.pauses[0].why, "the limit of connections is reached");
}

}  // namespace
}  // namespace retrylab::runs
