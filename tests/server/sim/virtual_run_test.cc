// SPDX-License-Identifier: MIT
#include "server/sim/virtual_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/sim/script_client.h"

namespace retrylab::sim {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr std::string_view kTwo503s = R"({
  "name": "two-503s",
  "routes": [ { "on": "POST /v1/payments", "creates": "payment", "script": [503, 503, 201] } ]
})";

TEST(virtual_run, two_503s_then_success) {
  const Played played = play(kTwo503s, {{post("/v1/payments"), until(1s), post("/v1/payments"),
                                         until(3s), post("/v1/payments")}});
  EXPECT_THAT(played.stories[0], ElementsAre("0.08ms 503", "1s 503", "3s 201"));
  EXPECT_EQ(played.run.attempts.size(), 3);
  EXPECT_EQ(played.run.connections.size(), 1);
  EXPECT_EQ(played.run.resources.size(), 1);
  EXPECT_EQ(played.run.resources.at(0).attempt, 3);
  EXPECT_EQ(played.run.clients.at(0).outcome, journal::ClientEnd::Outcome::success);
}

TEST(virtual_run, an_answer_lost_by_a_reset_is_replayed_for_the_same_key) {
  const Played played = play(R"({
    "name": "lost", "routes": [ { "on": "POST /pay", "creates": "payment",
      "idempotency": {"required": true},
      "script": [ {"status": 201, "fault": {"do": "reset", "at": "response_start"}}, 201 ] } ] })",
                             {{post("/pay", "k1"), until(1s), post("/pay", "k1")}});
  EXPECT_THAT(played.stories[0], ElementsAre("0.08ms reset", "1s 201 replayed"));
  EXPECT_EQ(played.run.resources.size(), 1);
  EXPECT_EQ(played.run.attempts.at(0).delivered.ending, journal::Ending::delivered);
  EXPECT_TRUE(played.run.attempts.at(0).delivered.faults_delivered);
  EXPECT_TRUE(played.run.attempts.at(1).replayed);
}

TEST(virtual_run, a_client_that_timed_out_and_comes_back_meets_its_own_request_in_flight) {
  const Played played = play(R"({
    "name": "slow", "routes": [ { "on": "POST /pay", "creates": "payment", "idempotency": {},
      "script": [ {"status": 201, "delay": "15s"} ] } ] })",
                             {{with_timeout(post("/pay", "k1"), 5s), until(6s), post("/pay", "k1"),
                               until(16s), post("/pay", "k1")}});
  EXPECT_THAT(played.stories[0], ElementsAre("5s timeout", "6s 409", "16s 201 replayed"));
  const journal::Attempt& first = played.run.attempts.at(0);
  EXPECT_EQ(first.delivered.ending, journal::Ending::peer_left);
  EXPECT_EQ(first.delivered.peer_left, Instant() + 5s + 20us);
  EXPECT_TRUE(first.executed);
  EXPECT_EQ(played.run.resources.size(), 1);
}

struct FaultCase {
  std::string_view name;
  std::string_view step;
  std::string_view outcome;
};

class virtual_fault : public testing::TestWithParam<FaultCase> {};

TEST_P(virtual_fault, is_what_the_client_sees) {
  const Played played = play(fmt::format(R"({{"name": "fault",
      "routes": [ {{"on": "GET /", "script": [{}]}} ]}})",
                                         GetParam().step),
                             {{with_timeout(get("/"), 10s)}});
  EXPECT_THAT(played.stories[0], ElementsAre(GetParam().outcome));
  const journal::Attempt& attempt = played.run.attempts.at(0);
  EXPECT_TRUE(attempt.delivered.faults_delivered);
  EXPECT_EQ(attempt.delivered.ending, journal::Ending::delivered);
}

INSTANTIATE_TEST_SUITE_P(
    table, virtual_fault,
    testing::Values(
        FaultCase{"answer", "200", "0.08ms 200"},
        FaultCase{"delay", R"({"status": 200, "delay": "2s"})", "2s 200"},
        FaultCase{"pace_of_the_body",
                  R"({"status": 200, "body": "12345", "pace": {"bytes": 2, "every": "1s"}})",
                  "2s 200"},
        FaultCase{"close", R"({"fault": {"do": "close", "at": "request_end"}})", "0.08ms closed"},
        FaultCase{"reset", R"({"fault": {"do": "reset", "at": "response_start"}})", "0.08ms reset"},
        FaultCase{"truncation",
                  R"({"status": 200, "body": "12345",
                      "fault": {"do": "close", "at": {"body_byte": 3}}})",
                  "0.08ms truncated"},
        FaultCase{"reset_inside_the_body",
                  R"({"status": 200, "body": "12345",
                      "fault": {"do": "reset", "at": {"body_byte": 3}}})",
                  "0.08ms truncated"},
        FaultCase{"half_close",
                  R"({"status": 200, "fault": {"do": "half_close", "at": "response_start"}})",
                  "0.08ms closed"},
        FaultCase{"garbage",
                  R"({"status": 200,
                      "fault": {"do": "garbage", "bytes": "#!", "at": "response_start"}})",
                  "0.08ms malformed"},
        FaultCase{"stall_for_ever", R"({"fault": {"do": "stall", "at": "response_start"}})",
                  "10s timeout"},
        FaultCase{"stall_for_a_time",
                  R"({"status": 200, "body": "12345",
                      "fault": {"do": "stall", "for": "3s", "at": "response_headers"}})",
                  "3s 200"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(virtual_run, connections_are_cut_as_their_script_says) {
  const Played played = play(R"({ "name": "cut", "connections": [
        {"fault": {"do": "reset", "at": "accept"}},
        {"fault": {"do": "close", "at": "request_start"}},
        {"fault": {"do": "stall", "at": "accept"}} ],
      "routes": [ {"on": "GET /", "script": [200]} ] })",
                             {{get("/"), get("/"), with_timeout(get("/"), 1s), get("/")}});
  EXPECT_THAT(played.stories[0],
              ElementsAre("0.04ms reset", "0.12ms closed", "1s timeout", "1s 200"));
  EXPECT_EQ(played.run.attempts.size(), 1);
  ASSERT_EQ(played.run.connections.size(), 4);
  for (const journal::Connection& one : played.run.connections) EXPECT_TRUE(one.faults_delivered);
  EXPECT_EQ(played.run.connections[0].closed_by, journal::Connection::ClosedBy::server);
  EXPECT_EQ(played.run.connections[2].closed_by, journal::Connection::ClosedBy::peer);
}

TEST(virtual_run, an_outage_refuses_connections_and_then_ends) {
  const Played played = play(R"({ "name": "down", "outages": [
        {"from": "1s", "until": "3s", "do": "refuse"} ],
      "routes": [ {"on": "GET /", "script": [200]} ] })",
                             {{get("/"), until(2s), get("/"), get("/"), until(3s), get("/")}});
  EXPECT_THAT(played.stories[0], ElementsAre("0.08ms 200", "2s closed", "2s refused", "3s 200"));
}

TEST(virtual_run, a_connection_is_kept_alive_until_its_answer_says_close) {
  const Played played = play(R"({ "name": "keep", "routes": [ {"on": "GET /", "script": [
        200, {"status": 200, "headers": {"Connection": "close"}}, 200 ]} ] })",
                             {{get("/"), get("/"), get("/")}});
  ASSERT_EQ(played.run.attempts.size(), 3);
  EXPECT_EQ(played.run.attempts[1].connection, 1);
  EXPECT_EQ(played.run.attempts[1].number_on_connection, 2);
  EXPECT_EQ(played.run.attempts[2].connection, 2);
}

TEST(virtual_run, stamps_are_those_of_the_wire) {
  const Played played = play(R"({ "name": "stamps", "routes": [ {"on": "POST /", "script": [
        {"status": 200, "body": "123", "delay": "1s", "pace": {"bytes": 1, "every": "1s"}} ]} ] })",
                             {{post("/")}}, {.one_way = 100ms, .server_lateness = 5ms});
  const journal::Attempt& attempt = played.run.attempts.at(0);
  EXPECT_EQ(attempt.first_byte, Instant(300ms)) << "connect there and back, and the request";
  EXPECT_EQ(attempt.body_read, Instant(300ms));
  EXPECT_EQ(attempt.delivered.r_min, Instant(1305ms));
  EXPECT_EQ(attempt.delivered.r_max, Instant(3310ms)) << "the second byte's second later";
  EXPECT_EQ(attempt.planned.delay, 1s);
  EXPECT_THAT(played.stories[0], ElementsAre("3.41s 200"));
  EXPECT_FALSE(played.run.lags.empty());
}

TEST(virtual_run, clients_that_fail_together_come_through_a_barrier_together) {
  const Played played =
      play(R"({ "name": "barrier", "routes": [ {"on": "GET /", "script": [
        {"status": 503, "delay": {"until": {"waiting": 3}, "max": "20s"}} ]} ] })",
           {{get("/")}, {get("/")}, {get("/")}},
           {.one_process = false, .starts = {Instant(), Instant(1s), Instant(5s)}});
  for (const Story& story : played.stories) EXPECT_THAT(story, ElementsAre("5s 503"));
  EXPECT_EQ(played.run.clients.size(), 3);
}

TEST(virtual_run, a_repeat_waits_for_the_answer_in_flight) {
  const Played played =
      play(R"({ "name": "wait", "routes": [ {"on": "POST /",
        "idempotency": {"in_flight": "wait"}, "creates": "payment",
        "script": [ {"status": 201, "delay": "10s"} ]} ] })",
           {{post("/", "k1")}, {post("/", "k1")}}, {.starts = {Instant(), Instant(4s)}});
  EXPECT_THAT(played.stories[0], ElementsAre("10s 201"));
  EXPECT_THAT(played.stories[1], ElementsAre("10s 201 replayed"));
  EXPECT_EQ(played.run.resources.size(), 1);
}

class Hanging final : public Client {
 public:
  Move next(const Outcome* outcome, Instant, WallTime) override {
    if (outcome == nullptr) return get("/");
    return Done{.hangs = true};
  }
};

TEST(virtual_run, a_client_that_hangs_is_stopped_at_the_limit) {
  const scenario::Scenario scenario =
      loaded(R"({"name": "hang", "routes": [ {"on": "GET /", "script": [200]} ]})");
  std::vector<std::unique_ptr<Client>> clients;
  clients.push_back(std::make_unique<Hanging>());
  const journal::Run run = run_virtual(scenario, clients, {.limit = 30s});
  EXPECT_EQ(run.clients.at(0).outcome, journal::ClientEnd::Outcome::hung);
  EXPECT_EQ(run.clients.at(0).ended, Instant(30s));
  EXPECT_EQ(run.ended, Instant(30s));
  EXPECT_EQ(run.connections.at(0).closed_by, journal::Connection::ClosedBy::peer);
}

TEST(virtual_run, a_client_that_is_busy_at_the_limit_is_hung) {
  const Played played = play(R"({"name": "busy", "routes": [ {"on": "GET /", "script": [
        {"status": 200, "delay": "59m"} ]} ]})",
                             {{get("/")}}, {.limit = 60s});
  EXPECT_EQ(played.run.clients.at(0).outcome, journal::ClientEnd::Outcome::hung);
  EXPECT_EQ(played.run.attempts.at(0).delivered.ending, journal::Ending::peer_left);
}

TEST(virtual_run, ends_with_its_last_client) {
  const Played played = play(kTwo503s, {{with_timeout(post("/v1/payments"), 1h)}});
  EXPECT_LT(played.run.ended, Instant(1ms));
  EXPECT_EQ(played.run.steps_unused, 2);
}

std::string journal_of(std::uint64_t seed) {
  std::vector<std::vector<Move>> clients(5, {post("/"), post("/"), post("/")});
  VirtualOptions options;
  options.seed = seed;
  const Played played = play(R"({ "name": "random", "routes": [ {"on": "POST /", "creates": "x",
        "script": [ {"status": 201, "delay": {"uniform": {"min": "1ms", "max": "1s"}}} ]} ] })",
                             clients, options);
  std::string text;
  for (const journal::Attempt& one : played.run.attempts) {
    text += fmt::format("{} {} {}\n", one.id, one.resource.str(),
                        one.delivered.r_max->time_since_epoch().count());
  }
  return text;
}

TEST(virtual_run, is_the_same_for_the_same_seed) {
  EXPECT_EQ(journal_of(1), journal_of(1));
  EXPECT_NE(journal_of(1), journal_of(2));
}

}  // namespace
}  // namespace retrylab::sim
