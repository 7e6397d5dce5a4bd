// SPDX-License-Identifier: MIT
#include "server/report/story.h"

#include <functional>

#include <gtest/gtest.h>

#include "tests/server/report/synthetic.h"

namespace retrylab::report {
namespace {

struct Case {
  std::string name;
  std::function<void(journal::Attempt&)> change;
  std::string expected;
};

TEST(Story, says_what_the_server_did) {
  using journal::Attempt;
  const Case cases[] = {
      {"an answer", [](Attempt&) {}, "503 Service Unavailable"},
      {"a delay and a wait",
       [](Attempt& attempt) {
         attempt.planned.delay = seconds(15);
         attempt.planned.retry_after = {"2", "3"};
       },
       "503 Service Unavailable · Retry-After: 2 · Retry-After: 3 · after 15s"},
      {"executed though the answer is lost",
       [](Attempt& attempt) {
         attempt.planned.status = 201;
         attempt.planned.faults = {"reset at response_start"};
         attempt.executed = true;
       },
       "201 Created · reset at response_start · executed"},
      {"executed behind a 504",
       [](Attempt& attempt) {
         attempt.planned.status = 504;
         attempt.executed = true;
       },
       "504 Gateway Timeout · executed"},
      {"a fault that did not take place",
       [](Attempt& attempt) {
         attempt.planned.faults = {"close at body_byte 10"};
         attempt.delivered.faults_delivered = false;
         attempt.delivered.ending = journal::Ending::peer_left;
         attempt.delivered.peer_left = at(milliseconds(1500));
       },
       "503 Service Unavailable · close at body_byte 10 (not delivered) · client left after 1.5s"},
      {"a replay",
       [](Attempt& attempt) {
         attempt.planned.status = 201;
         attempt.planned.source = journal::Source::replay;
         attempt.replayed = true;
         attempt.executed = true;
         attempt.resource = "payment_1";
       },
       "201 Created · replayed"},
      {"no answer",
       [](Attempt& attempt) {
         attempt.planned.status = 0;
         attempt.planned.faults = {"reset at request_end"};
       },
       "no answer · reset at request_end"},
      {"rubbish",
       [](Attempt& attempt) {
         attempt.planned.status = 400;
         attempt.planned.source = journal::Source::malformed;
         attempt.planned.note = "bare \x1b line feed";
       },
       "400 Bad Request · not a valid request · bare \\x1b line feed"},
      {"unfinished", [](Attempt& attempt) { attempt.delivered.ending = journal::Ending::pending; },
       "503 Service Unavailable · not over when the run ended"},
  };
  for (const auto& row : cases) {
    auto attempt = answered(1, Duration(0), 503);
    row.change(attempt);
    EXPECT_EQ(server_words(journal::Run{}, attempt), row.expected) << row.name;
  }
}

TEST(Story, a_gap_runs_from_before_the_answer_to_the_next_first_byte) {
  auto before = answered(1, Duration(0), 503);
  const auto after = answered(2, milliseconds(10), 200);
  EXPECT_EQ(gap(before, after), milliseconds(10) - microseconds(200));
  before.delivered = {};
  EXPECT_EQ(gap(before, after), std::nullopt);
  before.delivered.peer_left = at(milliseconds(4));
  EXPECT_EQ(gap(before, after), milliseconds(6));
}

TEST(Story, a_client_is_told_by_what_ended_it) {
  journal::ClientEnd client;
  client.outcome = journal::ClientEnd::Outcome::failure;
  client.exit_code = 1;
  client.declared = true;
  client.status = 503;
  client.reason = "deadline";
  EXPECT_EQ(client_words(client), "failed (exit 1, by its own word, status 503, deadline)");
  client = {};
  client.outcome = journal::ClientEnd::Outcome::signalled;
  client.signal = 11;
  EXPECT_EQ(client_words(client), "was killed (signal 11)");
  client.outcome = journal::ClientEnd::Outcome::interrupted;
  client.signal = 2;
  EXPECT_EQ(client_words(client), "was interrupted, as this run was (signal 2)");
  client.outcome = journal::ClientEnd::Outcome::hung;
  EXPECT_EQ(client_words(client), "hung: stopped by the time limit");
}

TEST(Story, a_resource_is_named_by_its_id_and_its_kind_if_the_id_does_not_say_it) {
  EXPECT_EQ(resource_name("payment", "payment_1"), "payment_1");
  EXPECT_EQ(resource_name("payment", "17"), "payment 17");
}

TEST(Story, an_attempt_is_found_by_run_and_id_even_where_some_were_dropped) {
  auto made = passing(2);
  made.runs[1].attempts = {answered(7, Duration(0), 200), answered(9, Duration(0), 200)};
  const Lookup lookup(made.runs);
  ASSERT_NE(lookup.attempt({2, 9}), nullptr);
  EXPECT_EQ(lookup.attempt({2, 9})->id, 9U);
  EXPECT_EQ(lookup.attempt({2, 8}), nullptr);
  EXPECT_EQ(lookup.attempt({3, 1}), nullptr);
}

}  // namespace
}  // namespace retrylab::report
