// SPDX-License-Identifier: MIT
// Overrides, outages and the connections script: what happens beside the script.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using journal::Source;
using testing::ElementsAre;
using ClosedBy = journal::Connection::ClosedBy;

struct WhenCase {
  std::string_view name;
  std::string_view when;
  std::vector<bool> applies;  // to each of the requests below
};

// Four requests: 1 and 2 on connection 1, 3 and 4 on connection 2; one second apart; the second
// has X-A: 1, the third the body {"k": 1}.
std::vector<SimpleRequest> four_requests() {
  std::vector<SimpleRequest> requests(4, post("/"));
  requests[1].number_on_connection = 2;
  requests[2].connection = requests[3].connection = 2;
  requests[3].number_on_connection = 2;
  requests[1].headers.push_back({"X-A", "1"});
  requests[2].body = R"({"k": 1})";
  return requests;
}

class when : public testing::TestWithParam<WhenCase> {};

TEST_P(when, picks_the_attempts_it_describes) {
  ServerUnderTest server(fmt::format(
      R"("routes": [ {{"on": "POST /", "script": [201],
                       "overrides": [ {{"when": {}, "status": 418}} ]}} ])",
      GetParam().when));
  std::vector<bool> applied;
  for (const SimpleRequest& request : four_requests()) {
    applied.push_back(server.status_of(request) == 418);
    server.now += 1s;
  }
  EXPECT_EQ(applied, GetParam().applies);
}

INSTANTIATE_TEST_SUITE_P(
    table, when,
    testing::Values(
        WhenCase{"attempt", R"({"attempt": 3})", {false, false, true, false}},
        WhenCase{"connection", R"({"connection": 2})", {false, false, true, true}},
        WhenCase{
            "request_on_connection", R"({"request_on_connection": 2})", {false, true, false, true}},
        WhenCase{
            "elapsed", R"({"elapsed": {"from": "1s", "until": "3s"}})", {false, true, true, false}},
        WhenCase{"elapsed_from", R"({"elapsed": {"from": "2s"}})", {false, false, true, true}},
        WhenCase{"header", R"({"headers": {"X-A": "1"}})", {false, true, false, false}},
        WhenCase{"body", R"({"body": {"/k": 1}})", {false, false, true, false}},
        WhenCase{"all_parts_have_to_hold",
                 R"({"connection": 2, "attempt": 4})",
                 {false, false, false, true}},
        WhenCase{"concurrency", R"({"concurrency": {"min": 2}})", {false, false, false, false}}),
    CaseName());

TEST(override_by_concurrency, counts_the_attempts_being_served_on_the_route) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [201],
      "overrides": [ {"when": {"concurrency": {"min": 3}}, "status": 503} ]} ])");
  const Answer first = server.head(post("/"));
  const auto second = server.send(post("/"));
  EXPECT_EQ(server.status_of(post("/")), 503);
  server.deliver(second);
  EXPECT_EQ(server.status_of(post("/")), 201);
}

TEST(an_override, without_status_changes_only_the_delivery) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [
        {"status": 201, "body": "hi", "delay": "1s"}, 202],
      "overrides": [ {"when": {"attempt": 1}, "delay": "3s",
                      "fault": {"do": "close", "at": "response_headers"}} ]} ])");
  const auto exchange = server.send(post("/"));
  server.deliver(exchange);
  EXPECT_THAT(exchange.lines(),
              ElementsAre("wait 3s", "write HTTP/1.1 201 Created (head)", "close"));
  EXPECT_EQ(server.attempt(1).planned.source, Source::script);
  EXPECT_EQ(server.status_of(post("/")), 202) << "the step was consumed";
}

TEST(an_override, with_status_consumes_nothing) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [201, 202],
      "overrides": [ {"when": {"attempt": 1}, "status": 503} ]} ])");
  EXPECT_EQ(server.status_of(post("/")), 503);
  EXPECT_EQ(server.attempt(1).planned.step, "/routes/0/overrides/0");
  EXPECT_EQ(server.status_of(post("/")), 201);
}

TEST(chance, picks_with_one_draw_after_the_step_is_claimed) {
  constexpr int kAttempts = 3'000;
  ServerUnderTest server(fmt::format(
      R"("routes": [ {{"on": "GET /", "script": [
          {{"status": 503, "chance": "3/10", "else": 200, "times": {}}}, 204 ]}} ])",
      kAttempts));
  int picked = 0;
  for (int i = 0; i < kAttempts; ++i) picked += server.status_of(get("/")) == 503 ? 1 : 0;
  EXPECT_NEAR(picked, kAttempts * 3 / 10, 125) << "five standard deviations";
  EXPECT_EQ(server.status_of(get("/")), 204);
}

TEST(outage, answers_and_hangs_by_the_runs_clock) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [200]} ], "outages": [
      {"from": "1s", "until": "2s", "answer": {"status": 502, "retry_after": "1s"}},
      {"from": "3s", "until": "4s", "do": "hang"},
      {"from": "5s", "until": "6s", "do": "refuse"} ])");
  server.now = Instant(1s) - 1ns;
  EXPECT_EQ(server.status_of(get("/")), 200);
  server.now = Instant(1s);
  EXPECT_EQ(server.status_of(get("/")), 502);
  server.now = Instant(2s);
  EXPECT_EQ(server.status_of(get("/")), 200);
  server.now = Instant(3s);
  const auto hung = server.send(get("/"));
  EXPECT_THAT(hung.lines(), ElementsAre("hold"));
  EXPECT_EQ(server.attempt(hung.id).planned.status, 0);
  EXPECT_FALSE(server.attempt(hung.id).planned.complete);
  server.now = Instant(5s);
  EXPECT_THAT(server.send(get("/")).lines(), ElementsAre("close"))
      << "a connection from before the outage";
}

TEST(the_clock, starts_at_the_first_connection) {
  const scenario::Scenario scenario = loaded(R"("routes": [ {"on": "GET /", "script": [200]} ])");
  journal::Recorder recorder({}, {}, nullptr);
  Engine engine(scenario, {}, recorder);
  EXPECT_EQ(engine.time_zero(), std::nullopt);
  engine.connected({1, 0, "127.0.0.1"}, Instant(5s));
  engine.connected({2, 0, "127.0.0.1"}, Instant(6s));
  EXPECT_EQ(engine.time_zero(), Instant(5s));
  EXPECT_EQ(recorder.snapshot().zero, Instant(5s));
}

TEST(the_clock, starts_at_the_ready_line_when_asked_to) {
  const scenario::Scenario scenario =
      loaded(R"("clock": "ready", "routes": [ {"on": "GET /", "script": [200]} ])");
  journal::Recorder recorder({}, {}, nullptr);
  const Engine engine(scenario, {}, recorder);
  EXPECT_EQ(engine.time_zero(), Instant());
}

class connections : public testing::Test {
 protected:
  explicit connections(std::string_view script = R"([
      {"fault": {"do": "reset", "at": "accept"}}, {},
      {"fault": {"do": "stall", "at": "accept"}, "times": 2} ])")
      : scenario_(loaded(fmt::format(
            R"("connections": {}, "routes": [ {{"on": "GET /", "script": [200]}} ])", script))),
        recorder_({}, {}, nullptr),
        engine_(scenario_, {}, recorder_) {}

  std::vector<std::string> connect(ConnectionId id) {
    return lines_of(engine_.connected({id, 0, "127.0.0.1"}, Instant()));
  }
  // So many actions of its plan were carried out.
  journal::Connection closed(ConnectionId id, ClosedBy by, std::size_t actions_done) {
    engine_.idle_over(id, actions_done);
    engine_.disconnected(id, by, 0, Instant(1s));
    return recorder_.snapshot().connections.at(id - 1);
  }

  scenario::Scenario scenario_;
  journal::Recorder recorder_;
  Engine engine_;
};

TEST_F(connections, claim_one_position_each_and_are_normal_afterwards) {
  EXPECT_THAT(connect(1), ElementsAre("reset"));
  EXPECT_THAT(connect(2), ElementsAre());
  EXPECT_THAT(connect(3), ElementsAre("hold"));
  EXPECT_THAT(connect(4), ElementsAre("hold"));
  EXPECT_THAT(connect(5), ElementsAre());
}

TEST_F(connections, are_journalled_without_a_request) {
  connect(1);
  const journal::Connection record = closed(1, ClosedBy::server, 1);
  EXPECT_THAT(record.planned_faults, ElementsAre("reset at accept"));
  EXPECT_TRUE(record.faults_delivered);
  EXPECT_EQ(record.closed, Instant(1s));
  EXPECT_EQ(record.requests, 0);
  EXPECT_TRUE(recorder_.snapshot().attempts.empty());
}

TEST_F(connections, that_their_client_closed_before_the_reset_leave_it_undelivered) {
  connect(1);
  EXPECT_FALSE(closed(1, ClosedBy::peer, 0).faults_delivered);
}

TEST_F(connections, that_stall_are_ended_by_their_client) {
  connect(1);
  connect(2);
  connect(3);
  EXPECT_TRUE(closed(3, ClosedBy::peer, 1).faults_delivered);
}

}  // namespace
}  // namespace retrylab::engine
