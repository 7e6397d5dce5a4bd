// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client_lib/base/http_date.h"
#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// As AttemptBuilder's clock sees it: the run began at a whole second of the wall clock.
std::string date(Duration since_start, DateFormat format = DateFormat::imf) {
  return format_http_date(WallTime(1'795'000'000s) + since_start, format);
}

auto asked(const std::string& value, Duration wait, int status = 503) {
  return [=](Stage& s) {
    s.run.get(0ms).answered(status).retry_after(value);
    s.run.get(1ms + wait);
  };
}

auto asked_and_ended(const std::string& value, ClientOutcome outcome, Duration at) {
  return [=](Stage& s) {
    s.run.get(0ms).answered(503).retry_after(value);
    s.run.client(outcome, at);
  };
}

TEST(Ra1, seconds_are_waited_out) {
  expect_rows("RA-1", {
                          {"waits", asked("5", 5s), Status::pass},
                          {"waits longer", asked("5", 6s), Status::pass},
                          {"leading zeros", asked("005", 4s), Status::fail},
                          {"comes much too early", asked("5", 310ms), Status::fail},
                          {"429 is no other than 503", asked("5", 310ms, 429), Status::fail},
                          {"a timer may round by 2 ms", asked("5", 4998ms), Status::pass},
                          {"a coarse clock explains 20 ms", asked("5", 4997ms), Status::advice},
                          {"and not a millisecond more", asked("5", 4980ms), Status::advice},
                          {"which is proof", asked("5", 4979ms), Status::fail},
                          {"a stalled host cannot make a wait shorter",
                           [](Stage& s) {
                             s.run.get(0ms).answered(503).retry_after("5");
                             s.run.get(1s);
                             s.run.lag(900ms, 800ms);
                           },
                           Status::fail},
                          {"nothing came after it",
                           [](Stage& s) {
                             s.run.get(0ms).answered(503).retry_after("9");
                             s.run.client(ClientOutcome::failure, 10ms);
                           },
                           Status::not_applicable},
                          {"the head never came: nothing was asked",
                           [](Stage& s) {
                             s.run.get(0ms).answered(503).retry_after("5").reset();
                             s.run.get(200ms);
                           },
                           Status::not_applicable},
                          {"another request does not wait for it",
                           [](Stage& s) {
                             s.run.get(0ms, "/a").answered(503).retry_after("2");
                             s.run.get(100ms, "/b");
                             s.run.get(2100ms, "/a");
                           },
                           Status::pass},
                          {"a clamp is kept",
                           [](Stage& s) {
                             s.expect.retry_after.kind = scenario::ExpectRetryAfter::Kind::clamp;
                             s.expect.retry_after.clamp = 2s;
                             asked("5", 2s)(s);
                           },
                           Status::pass},
                          {"any wait is fine",
                           [](Stage& s) {
                             s.expect.retry_after.kind = scenario::ExpectRetryAfter::Kind::any;
                             asked("5", 1s)(s);
                           },
                           Status::not_applicable},
                          {"two that look alike at the same time are not told apart",
                           [](Stage& s) {
                             s.run.served();
                             s.run.get(0ms).answered(503, 50ms).retry_after("5");
                             s.run.get(10ms).answered(503, 10ms).retry_after("5");
                             s.run.get(1s);
                           },
                           Status::inconclusive},
                      });
}

TEST(Ra1, says_what_happened_and_what_is_likely_wrong) {
  Stage stage;
  asked("5", 310ms)(stage);
  const RuleResult result = result_of(stage.judge(), "RA-1");
  EXPECT_EQ(result.observed, "attempt 2 came 310ms after a 503 that asked for 5s");
  EXPECT_EQ(result.expected, "a wait of at least 5s");
  EXPECT_EQ(result.missed_by, 4690ms);
  ASSERT_EQ(result.attempts.size(), 2u);
  EXPECT_EQ(result.attempts[0].attempt, 1u);
  EXPECT_EQ(result.attempts[1].attempt, 2u);

  struct Case {
    const char* value;
    Duration wait;
    const char* advice;
  };
  for (const Case& one : {Case{"5", 5ms, "read as milliseconds"},
                          {"5", 3ms, "at least as long as Retry-After asks"},
                          {"1", 3ms, "at least as long as Retry-After asks"},
                          {"1", 1ms, "at least as long as Retry-After asks"},
                          {"5", 9ms, "at least as long as Retry-After asks"},
                          {"60", 68ms, "read as milliseconds"},
                          {"60", 80ms, "at least as long as Retry-After asks"},
                          {"5", 4001ms, "Round the wait up"},
                          {"5", 700ms, "at least as long as Retry-After asks"}}) {
    Stage again;
    asked(one.value, one.wait)(again);
    EXPECT_THAT(result_of(again.judge(), "RA-1").advice, HasSubstr(one.advice));
  }
}

TEST(Ra2, oversleeping_is_advice_and_never_fails) {
  expect_rows("RA-2", {
                          {"in time", asked("2", 2s), Status::pass},
                          {"half as long again", asked("2", 3s), Status::pass},
                          {"twice as long", asked("2", 4s), Status::advice},
                          {"the host explains it",
                           [](Stage& s) {
                             asked("2", 4s)(s);
                             s.run.lag(3s, 1500ms);
                           },
                           Status::not_applicable},
                          {"the own backoff is as long",
                           [](Stage& s) {
                             s.backoff(4s, 8s, scenario::Jitter::equal);
                             asked("2", 4s)(s);
                           },
                           Status::pass},
                      });
}

TEST(Ra3, a_date_is_waited_for) {
  expect_rows("RA-3", {
                          {"waits", asked(date(5s), 5s), Status::pass},
                          {"comes a second early", asked(date(5s), 4s), Status::fail},
                          {"comes as if there were no date", asked(date(5s), 200ms), Status::fail},
                          {"a second of the grid is no excuse",
                           [](Stage& s) {
                             s.run.get(0ms).answered(503, 300ms).retry_after(date(5s));
                             s.run.get(4300ms);
                           },
                           Status::fail},
                          {"the clock of another host is not known",
                           [](Stage& s) {
                             asked(date(5s), 4s)(s);
                             for (auto& attempt : s.run.run().attempts)
                               attempt.client = "192.0.2.7";
                           },
                           Status::inconclusive},
                          {"seconds are not a date", asked("5", 5s), Status::not_applicable},
                      });
}

TEST(Ra4, obsolete_dates_are_understood) {
  for (const DateFormat format : {DateFormat::rfc850, DateFormat::asctime}) {
    expect_rows("RA-4", {
                            {"waits", asked(date(20s, format), 20s), Status::pass},
                            {"does not know it", asked(date(20s, format), 200ms), Status::fail},
                        });
  }
}

TEST(Ra5, a_two_digit_year_far_ahead_is_past) {
  const std::string past = "Sunday, 06-Nov-94 08:49:37 GMT";
  expect_rows("RA-5", {
                          {"goes on by itself", asked(past, 200ms), Status::pass},
                          {"goes on at once", asked(past, 0ms), Status::pass},
                          {"hangs", asked_and_ended(past, ClientOutcome::hung, 60s), Status::fail},
                      });
}

TEST(Ra6, a_past_date_means_now) {
  const std::string past = "Wed, 21 Oct 2015 07:28:00 GMT";
  expect_rows(
      "RA-6",
      {
          {"goes on at once", asked(past, 0ms), Status::pass},
          {"goes on by its backoff", asked(past, 2s), Status::pass},
          {"hangs", asked_and_ended(past, ClientOutcome::hung, 60s), Status::fail},
          {"gives up", asked_and_ended(past, ClientOutcome::failure, 10ms), Status::fail},
          {"takes a negative wait for a long one",
           [&past](Stage& s) {
             s.backoff(250ms, 8s, scenario::Jitter::full);
             asked(past, 20s)(s);
           },
           Status::fail},
          {"the host explains it",
           [&past](Stage& s) {
             s.backoff(250ms, 8s, scenario::Jitter::full);
             asked(past, 2s)(s);
             s.run.lag(1900ms, 1800ms);
           },
           Status::inconclusive},
          {"stopped before it could go on", asked_and_ended(past, ClientOutcome::hung, 100ms),
           Status::inconclusive},
          {"nobody knows", [&past](Stage& s) { s.run.get(0ms).answered(503).retry_after(past); },
           Status::inconclusive},
      });
}

TEST(Ra7, an_unreadable_value_is_ignored) {
  for (const char* value : {"soon", "1.5", "-5", "", "1e9", "12 s", "1m0s", "0x10", "1, 2",
                            "Mon, 30 Nov 2026 12:00:05 gmt"}) {
    expect_rows(
        "RA-7",
        {
            {"backs off", asked(value, 300ms), Status::pass},
            {"gives up", asked_and_ended(value, ClientOutcome::failure, 10ms), Status::fail},
            {"hangs", asked_and_ended(value, ClientOutcome::hung, 60s), Status::fail},
        });
  }
  expect_rows("RA-7", {
                          {"two lines are unreadable too",
                           [](Stage& s) {
                             s.run.get(0ms).answered(503).retry_after("1").retry_after("2");
                             s.run.client(ClientOutcome::failure, 10ms);
                           },
                           Status::fail},
                          {"rubbish is taken for zero",
                           [](Stage& s) {
                             s.backoff(1s, 8s, scenario::Jitter::equal);
                             asked("1m0s", 0ms)(s);
                           },
                           Status::fail},
                          {"rubbish is taken for a year",
                           [](Stage& s) {
                             s.backoff(1s, 8s, scenario::Jitter::equal);
                             asked("-3", 30s)(s);
                           },
                           Status::fail},
                          {"it had no attempts left",
                           [](Stage& s) {
                             s.expect.attempts = scenario::CountRange{.max = 1};
                             asked_and_ended("soon", ClientOutcome::failure, 10ms)(s);
                           },
                           Status::not_applicable},
                      });
}

TEST(Ra8, a_huge_wait_is_given_up) {
  for (const char* value : {"86400", "2200000", "2147483648", "9223372036854775808",
                            "1000000000000000000000000000000"}) {
    expect_rows("RA-8",
                {
                    {"gives up at once", asked_and_ended(value, ClientOutcome::failure, 10ms),
                     Status::pass},
                    {"retries at once", asked(value, 1ms), Status::fail},
                    {"shortens it to its cap", asked(value, 30s), Status::fail},
                    {"sits there", asked_and_ended(value, ClientOutcome::hung, 60s), Status::fail},
                });
  }
  expect_rows("RA-8", {
                          {"a declared clamp is kept",
                           [](Stage& s) {
                             s.expect.retry_after.kind = scenario::ExpectRetryAfter::Kind::clamp;
                             s.expect.retry_after.clamp = 10s;
                             asked("86400", 10s)(s);
                           },
                           Status::advice},
                          {"and broken",
                           [](Stage& s) {
                             s.expect.retry_after.kind = scenario::ExpectRetryAfter::Kind::clamp;
                             s.expect.retry_after.clamp = 10s;
                             asked("86400", 1s)(s);
                           },
                           Status::fail},
                          {"five seconds are not huge", asked("5", 5s), Status::not_applicable},
                      });
}

}  // namespace
}  // namespace retrylab::verify
