// SPDX-License-Identifier: MIT
#include "server/sim/virtual_run.h"

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

}  // namespace
}  // namespace retrylab::sim
