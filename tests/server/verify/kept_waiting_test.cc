// SPDX-License-Identifier: MIT
// How far a client got shows nothing where this host was so late with an answer that the client
// gave it up, or ran out of time for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// Two attempts and a failure; the first was given up after a second.
void given_up(Stage& stage, Duration lag) {
  stage.run.get(0ms).left(1s);
  stage.run.get(2s).answered(503);
  stage.run.client(ClientOutcome::failure, 2100ms);
  if (lag > 0ms) stage.run.lag(900ms, lag);
}

Status status_of(const Stage& stage, const std::string& id) {
  return result_of(stage.judge(), id).status;
}

TEST(KeptWaiting, excuses_a_client_that_fails) {
  Stage stage;
  stage.expect.client.outcome = scenario::ExpectClient::Outcome::succeeds;
  given_up(stage, 800ms);
  const RuleResult result = result_of(stage.judge(), "client");
  EXPECT_EQ(result.status, Status::inconclusive);
  EXPECT_THAT(result.observed, HasSubstr("this host was 800ms late with the answer to attempt 1"));
}

TEST(KeptWaiting, takes_lateness_that_was_measured) {
  Stage stage;
  stage.expect.client.outcome = scenario::ExpectClient::Outcome::succeeds;
  given_up(stage, 0ms);
  EXPECT_EQ(status_of(stage, "client"), Status::fail);
  Stage little;
  little.expect.client.outcome = scenario::ExpectClient::Outcome::succeeds;
  given_up(little, 20ms);
  EXPECT_EQ(status_of(little, "client"), Status::fail);
}

TEST(KeptWaiting, is_not_what_the_scenario_planned) {
  for (const bool stalls : {false, true}) {
    Stage stage;
    stage.expect.client.outcome = scenario::ExpectClient::Outcome::succeeds;
    given_up(stage, 800ms);
    journal::Attempt& first = stage.run.run().attempts[0];
    if (stalls) {
      first.planned.faults = {"stall at response_start"};
      first.planned.complete = false;
    } else {
      first.planned.delay = 5s;
    }
    EXPECT_EQ(status_of(stage, "client"), Status::fail) << stalls;
  }
}

TEST(KeptWaiting, excuses_attempts_that_are_too_many_or_too_few) {
  for (const std::uint64_t wanted : {1U, 3U}) {
    Stage stage;
    stage.expect.attempts = scenario::CountRange{.min = wanted, .max = wanted};
    given_up(stage, 800ms);
    EXPECT_EQ(status_of(stage, "attempts"), Status::inconclusive) << wanted;
    EXPECT_EQ(ids_with(stage.judge(), Status::fail), "") << wanted;
  }
}

TEST(KeptWaiting, excuses_what_was_never_made_but_not_what_was_made_twice) {
  const auto paid = [](int times) {
    return [=](Stage& s) {
      s.expect.created["payment"] = scenario::CountRange{.min = 1, .max = 1};
      AttemptBuilder first = s.run.post(0ms).left(1s);
      AttemptBuilder second = s.run.post(2s).answered(503);
      if (times > 0) first.created("payment");
      if (times > 1) second.created("payment");
      s.run.lag(900ms, 800ms);
      s.expect.disabled_rules = {"ID-1"};
    };
  };
  Stage none;
  paid(0)(none);
  EXPECT_EQ(status_of(none, "created"), Status::inconclusive);
  Stage twice;
  paid(2)(twice);
  EXPECT_EQ(status_of(twice, "created"), Status::fail);
}

// The kernel's time of a request is that of its last segment, here of the client's leaving: it
// seems to have come late, and was answered by nobody.
TEST(KeptWaiting, excuses_who_left_before_the_request_was_read) {
  Stage stage;
  stage.expect.client.outcome = scenario::ExpectClient::Outcome::succeeds;
  stage.run.get(0ms).answered(503);
  AttemptBuilder second = stage.run.get(2078ms).hangs();
  second.attempt().planned.status = 503;
  second.attempt().planned.delay = 400ms;
  second.attempt().head_read = journal::instant(2082ms);
  stage.run.client(ClientOutcome::failure, 3s);
  stage.run.lag(2080ms, 1990ms);
  EXPECT_EQ(status_of(stage, "client"), Status::inconclusive);
}

// The same, and the server found it when it went on: it wrote an answer that nobody read.
TEST(KeptWaiting, makes_an_answer_unseen_though_the_request_seems_to_have_come_just_before) {
  Stage stage;
  AttemptBuilder first = stage.run.get(1950ms).answered(503, 51ms).retry_after("5");
  first.attempt().head_read = journal::instant(2s);
  stage.run.get(2200ms).answered(200);
  stage.run.lag(2s, 1990ms);
  stage.run.run().connections.push_back({.id = 1,
                                         .run = 1,
                                         .accepted = journal::instant(2s),
                                         .requests = 1,
                                         .closed = journal::instant(2002ms),
                                         .closed_by = journal::Connection::ClosedBy::peer});
  EXPECT_EQ(ids_with(stage.judge(), Status::fail), "");
}

// The deadline passed while the host was stopped.
TEST(KeptWaiting, excuses_who_was_answered_much_too_late) {
  Stage stage;
  stage.expect.client.outcome = scenario::ExpectClient::Outcome::succeeds;
  stage.run.get(0ms).answered(503, 2s);
  stage.run.client(ClientOutcome::failure, 2001ms);
  stage.run.lag(2s, 1990ms);
  EXPECT_EQ(status_of(stage, "client"), Status::inconclusive);
}

// The server stood still from before the first request to after the second: the client had closed
// its first connection before it was answered. It is not known to have overlapped its attempts, to
// have come too early, or to have repeated what had succeeded.
TEST(KeptWaiting, makes_an_answer_unseen_that_came_after_the_client_had_gone) {
  for (const bool succeeds : {false, true}) {
    Stage stage;
    stage.expect.attempts = scenario::CountRange{.max = 3};
    AttemptBuilder first = stage.run.get(0ms).answered(succeeds ? 200 : 503, 2s);
    if (!succeeds) first.retry_after("5");
    stage.run.get(1250ms).answered(200, 760ms);
    stage.run.lag(2s, 1990ms);
    stage.run.run().connections.push_back({.id = 1,
                                           .run = 1,
                                           .accepted = journal::instant(0ms),
                                           .requests = 1,
                                           .closed = journal::instant(2001ms),
                                           .closed_by = journal::Connection::ClosedBy::peer});
    const Verdict verdict = stage.judge();
    EXPECT_EQ(ids_with(verdict, Status::fail), "") << succeeds;
    EXPECT_EQ(result_of(verdict, "AT-5").status, Status::inconclusive) << succeeds;
  }
}

TEST(KeptWaiting, makes_nothing_unseen_on_a_connection_that_is_used_again) {
  Stage stage;
  stage.run.get(0ms).connection(1, 1).answered(503, 2s).retry_after("5");
  stage.run.get(3s).connection(1, 2).answered(200);
  stage.run.lag(2s, 1990ms);
  EXPECT_EQ(ids_with(stage.judge(), Status::fail), "RA-1");
}

TEST(KeptWaiting, does_not_excuse_another_operation) {
  Stage stage;
  stage.expect.attempts = scenario::CountRange{.max = 1};
  stage.run.served();
  stage.run.get(0ms, "/a").left(1s);
  stage.run.lag(900ms, 800ms);
  stage.run.get(10s, "/b").answered(503);
  stage.run.get(11s, "/b").answered(200);
  EXPECT_EQ(status_of(stage, "attempts"), Status::fail);
}

TEST(KeptWaiting, excuses_no_early_retry) {
  Stage stage;
  stage.run.get(0ms).left(1s);
  stage.run.lag(900ms, 800ms);
  stage.run.get(2s).answered(503).retry_after("5");
  stage.run.get(3s).answered(200);
  EXPECT_EQ(ids_with(stage.judge(), Status::fail), "RA-1");
}

}  // namespace
}  // namespace retrylab::verify
