// SPDX-License-Identifier: MIT
#include "client_lib/retry/next_move.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/client_lib/retry/story.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

// careful, but with waits that can be read off: 250 ms, 500 ms, 1 s ...
Policy plain() {
  Policy policy = careful();
  policy.backoff.jitter = Jitter::none;
  policy.server_wait.spread = 0s;
  return policy;
}

std::string story(const std::vector<Outcome>& outcomes, const Policy& policy = plain(),
                  const Facts& facts = {}) {
  return dump(tell({.policy = policy, .facts = facts, .outcomes = outcomes}));
}

TEST(NextMove, a_success_is_final) {
  EXPECT_EQ(story({status(200)}), "0s | succeeded");
}

TEST(NextMove, two_503_then_a_success) {
  EXPECT_EQ(story({status(503), status(503), status(201)}), "0s 250ms 750ms | succeeded");
}

TEST(NextMove, gives_up_after_its_attempts) {
  EXPECT_EQ(story({status(503)}), "0s 250ms 750ms 1750ms 3750ms | attempts_exhausted");
  for (const std::uint32_t attempts : {1U, 2U, 3U, 10U}) {
    Policy policy = plain();
    policy.attempts = attempts;
    policy.deadline = kForever;
    const Told told = tell({.policy = policy, .outcomes = {status(503)}});
    EXPECT_EQ(told.attempts.size(), attempts);
    EXPECT_EQ(told.waits.size(), attempts - 1);
    EXPECT_EQ(told.reason, Reason::attempts_exhausted);
  }
}

TEST(NextMove, a_permanent_answer_ends_it_at_once) {
  EXPECT_EQ(story({status(503), status(400)}), "0s 250ms | permanent_status");
}

// square/okhttp#1693: an endless 408 is not for following.
TEST(NextMove, a_408_is_retried_at_most_once) {
  EXPECT_EQ(story({status(408), status(200)}), "0s 250ms | succeeded");
  EXPECT_EQ(story({status(408)}), "0s 250ms | permanent_status");
  EXPECT_EQ(story({status(408), status(503), status(408)}), "0s 250ms 750ms | permanent_status");
  EXPECT_EQ(story({status(408)}, plain(), {.method = "POST"}), "0s | not_idempotent");
}

TEST(NextMove, a_post_without_key_is_repeated_only_when_surely_not_executed) {
  const Facts post{.method = "POST"};
  EXPECT_EQ(story({failure(Failure::reset)}, plain(), post), "0s | not_idempotent");
  EXPECT_EQ(story({failure(Failure::timeout)}, plain(), post), "0s | not_idempotent");
  EXPECT_EQ(story({status(504)}, plain(), post), "0s | not_idempotent");
  EXPECT_EQ(story({failure(Failure::refused), status(201)}, plain(), post), "0s 250ms | succeeded");
}

TEST(NextMove, retry_after_replaces_the_backoff) {
  EXPECT_EQ(story({status(429, {{"Retry-After", "2"}}), status(503), status(200)}),
            "0s 2s 2250ms | succeeded");
  EXPECT_EQ(story({status(503, {{"Retry-After", "Mon, 30 Nov 2026 12:00:03 GMT"}}), status(200)}),
            "0s 3s | succeeded");
}

TEST(NextMove, an_invalid_or_past_retry_after_falls_back_to_the_backoff) {
  for (const char* value : {"soon", "1.5", "-5", "", "1m0s", "0", "Wed, 21 Oct 2015 07:28:00 GMT",
                            "Sunday, 06-Nov-94 08:49:37 GMT"}) {
    EXPECT_EQ(story({status(503, {{"Retry-After", value}}), status(200)}), "0s 250ms | succeeded")
        << value;
  }
}

TEST(NextMove, honour_or_fail_fails_at_once_beyond_the_limit) {
  EXPECT_EQ(story({status(429, {{"Retry-After", "8"}}), status(200)}), "0s 8s | succeeded");
  for (const char* value : {"9", "86400", "2147484", "9223372036854775807",
                            "99999999999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"}) {
    EXPECT_EQ(story({status(429, {{"Retry-After", value}})}), "0s | retry_after_exceeds_limit");
  }
  Policy patient = plain();
  patient.server_wait.limit = 20s;
  EXPECT_EQ(story({status(429, {{"Retry-After", "9"}}), status(200)}, patient),
            "0s 9s | succeeded");
}

TEST(NextMove, honour_or_back_off_takes_a_wait_beyond_the_limit_for_none) {
  Policy policy = plain();
  policy.server_wait.rule = RetryAfterRule::honour_or_back_off;
  EXPECT_EQ(story({status(429, {{"Retry-After", "8"}}), status(200)}, policy), "0s 8s | succeeded");
  EXPECT_EQ(story({status(429, {{"Retry-After", "9"}}), status(200)}, policy),
            "0s 250ms | succeeded");
}

TEST(NextMove, clamp_comes_back_at_the_limit) {
  Policy policy = plain();
  policy.server_wait.rule = RetryAfterRule::clamp;
  EXPECT_EQ(story({status(429, {{"Retry-After", "86400"}}), status(200)}, policy),
            "0s 8s | succeeded");
  EXPECT_EQ(story({status(429, {{"Retry-After", "2"}}), status(200)}, policy), "0s 2s | succeeded");
}

TEST(NextMove, ignore_backs_off_as_if_nothing_had_been_said) {
  Policy policy = plain();
  policy.server_wait.rule = RetryAfterRule::ignore;
  EXPECT_EQ(story({status(429, {{"Retry-After", "86400"}}), status(200)}, policy),
            "0s 250ms | succeeded");
}

TEST(NextMove, never_sleeps_past_the_deadline) {
  Policy policy = plain();
  policy.deadline = 2s;
  EXPECT_EQ(story({status(503, {{"Retry-After", "2"}})}, policy), "0s | retry_after_exceeds_limit");
  EXPECT_EQ(story({status(503, {{"Retry-After", "1"}}), status(200)}, policy), "0s 1s | succeeded");
  policy.deadline = 750ms;
  EXPECT_EQ(story({status(503)}, policy), "0s 250ms | deadline");
  policy.deadline = 751ms;
  EXPECT_EQ(story({status(503), status(503), status(200)}, policy), "0s 250ms 750ms | succeeded");
}

TEST(NextMove, the_deadline_counts_attempts_and_sleeps) {
  Policy policy = plain();
  policy.deadline = 3s;
  const Told told =
      tell({.policy = policy, .outcomes = {failure(Failure::timeout)}, .attempt_takes = 1s});
  EXPECT_EQ(dump(told), "0s 1250ms 2750ms | deadline");
}

TEST(NextMove, an_attempt_gets_the_shorter_of_its_own_limit_and_what_is_left) {
  Policy policy = plain();
  policy.deadline = 1s;
  policy.attempt_timeout = 800ms;
  Random random(1);
  Progress progress = begin({});
  const Outcome failed = status(503);
  const auto ask = [&](Duration now, const Outcome* outcome) {
    return next_move(policy, progress, outcome, {{Instant(now), WallTime()}, random, {}});
  };
  EXPECT_EQ(std::get<AttemptNow>(ask(0s, nullptr)).time, 800ms);
  EXPECT_TRUE(std::holds_alternative<WaitUntil>(ask(100ms, &failed)));
  EXPECT_EQ(std::get<AttemptNow>(ask(350ms, nullptr)).time, 650ms);
}

TEST(NextMove, waking_up_after_the_deadline_sends_nothing) {
  Policy policy = plain();
  policy.deadline = 1s;
  Random random(1);
  Progress progress = begin({});
  const Outcome failed = status(503);
  const auto ask = [&](Duration now, const Outcome* outcome) {
    return next_move(policy, progress, outcome, {{Instant(now), WallTime()}, random, {}});
  };
  ask(0s, nullptr);
  ask(0s, &failed);
  EXPECT_EQ(std::get<Finish>(ask(1s, nullptr)).reason, Reason::deadline);
}

TEST(NextMove, a_spread_on_retry_after_is_never_early_and_never_misses_the_deadline) {
  Policy policy = careful();
  policy.deadline = 2100ms;
  Duration latest{0};
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Told told = tell({.policy = policy,
                            .outcomes = {status(429, {{"Retry-After", "2"}}), status(200)},
                            .seed = seed});
    ASSERT_EQ(told.reason, Reason::succeeded);
    ASSERT_GE(told.waits[0].wait, 2s);
    ASSERT_LT(told.waits[0].wait, 2100ms);
    latest = std::max(latest, told.waits[0].wait);
  }
  EXPECT_GT(latest, 2090ms);
}

TEST(NextMove, waits_say_why) {
  const Told told =
      tell({.policy = plain(),
            .outcomes = {status(503), status(503, {{"Retry-After", "1"}}), status(200)}});
  ASSERT_EQ(told.waits.size(), 2U);
  EXPECT_EQ(told.waits[0].cause, WaitCause::backoff);
  EXPECT_EQ(told.waits[1].cause, WaitCause::retry_after);
}

TEST(NextMove, a_redirect_is_followed_after_its_retry_after) {
  Policy policy = plain();
  policy.redirects = 2;
  const Headers location{{"Location", "/b"}, {"Retry-After", "3"}};
  const Told told = tell({.policy = policy, .outcomes = {status(303, location), status(200)}});
  EXPECT_EQ(dump(told), "0s 3s | succeeded");
  EXPECT_EQ(told.waits[0].cause, WaitCause::redirect);
}

TEST(NextMove, redirects_have_a_limit_of_their_own_and_cost_no_attempts) {
  Policy policy = plain();
  policy.redirects = 2;
  policy.attempts = 2;
  const Headers location{{"Location", "/b"}};
  EXPECT_EQ(story({status(302, location)}, policy), "0s 0s 0s | redirect_refused");
  EXPECT_EQ(story({status(302, location), status(503), status(200)}, policy),
            "0s 0s 250ms | succeeded");
  EXPECT_EQ(story({status(302, location), status(503)}, policy),
            "0s 0s 250ms | attempts_exhausted");
}

TEST(NextMove, a_pushback_is_exact_and_starts_the_backoff_again) {
  Policy policy = grpc();
  policy.backoff.jitter = Jitter::none;
  policy.attempts = 5;
  const Told told =
      tell({.policy = policy,
            .outcomes = {status(503), status(503), status(503, {{"grpc-retry-pushback-ms", "70"}}),
                         status(503)}});
  ASSERT_EQ(told.waits.size(), 4U);
  EXPECT_EQ(told.waits[1].wait, 200ms);
  EXPECT_EQ(told.waits[2].wait, 70ms);
  EXPECT_EQ(told.waits[3].wait, 100ms);
}

TEST(NextMove, aws_2_1_clamps_between_its_own_backoff_and_five_seconds_more) {
  Policy policy = aws_standard_2_1();
  policy.backoff.jitter = Jitter::none;
  const auto first_wait = [&](const char* millis) {
    return tell({.policy = policy, .outcomes = {status(503, {{"x-amz-retry-after", millis}})}})
        .waits[0]
        .wait;
  };
  EXPECT_EQ(first_wait("10"), 50ms);
  EXPECT_EQ(first_wait("1000"), 1s);
  EXPECT_EQ(first_wait("60000"), 5050ms);
  EXPECT_EQ(first_wait("soon"), 50ms);
}

TEST(NextMove, cancelling_while_waiting_ends_it) {
  Random random(1);
  Progress progress = begin({});
  const Outcome failed = status(503);
  const Outcome cancelled = failure(Failure::cancelled);
  const Context context{{Instant(), WallTime()}, random, {}};
  next_move(plain(), progress, nullptr, context);
  next_move(plain(), progress, &failed, context);
  EXPECT_EQ(std::get<Finish>(next_move(plain(), progress, &cancelled, context)).reason,
            Reason::cancelled);
}

TEST(NextMove, an_empty_budget_ends_it_and_is_charged_only_for_what_it_grants) {
  Budget budget(TokenBucketPolicy{.capacity = 10'000, .success_gain = 0});
  const Play play{.policy = plain(), .outcomes = {status(503)}, .guards = {.budget = &budget}};
  EXPECT_EQ(dump(tell(play)), "0s 250ms 750ms | budget_empty");
  EXPECT_EQ(budget.bucket()->tokens(), 0);
}

TEST(NextMove, what_the_deadline_refuses_is_not_charged) {
  Policy policy = plain();
  policy.deadline = 100ms;
  Budget budget(TokenBucketPolicy{});
  tell({.policy = policy, .outcomes = {status(503)}, .guards = {.budget = &budget}});
  EXPECT_EQ(budget.bucket()->tokens(), 500'000);
}

TEST(NextMove, an_open_breaker_refuses_the_first_attempt) {
  Breaker breaker({.calls = 4, .threshold = {1, 1}, .min_calls = 4, .cool_down = 5s});
  const Play play{.policy = plain(), .outcomes = {status(503)}, .guards = {.breaker = &breaker}};
  EXPECT_EQ(dump(tell(play)), "0s 250ms 750ms 1750ms | breaker_open");
  Play next = play;
  next.start = Instant(2s);
  EXPECT_EQ(dump(tell(next)), "| breaker_open");
  next.start = Instant(7s);
  next.outcomes = {status(200)};
  EXPECT_EQ(dump(tell(next)), "7s | succeeded");
  EXPECT_EQ(breaker.state(), Breaker::State::closed);
}

TEST(NextMove, a_4xx_does_not_trip_the_breaker_and_a_429_only_when_declared) {
  for (const bool declared : {false, true}) {
    Breaker breaker(
        {.calls = 4, .threshold = {1, 1}, .min_calls = 4, .count_throttling = declared});
    for (int i = 0; i < 10; ++i) {
      tell({.policy = plain(), .outcomes = {status(404)}, .guards = {.breaker = &breaker}});
    }
    EXPECT_EQ(breaker.state(), Breaker::State::closed);
    for (int i = 0; i < 10; ++i) {
      Policy once = plain();
      once.attempts = 1;
      tell({.policy = once, .outcomes = {status(429)}, .guards = {.breaker = &breaker}});
    }
    EXPECT_EQ(breaker.state(), declared ? Breaker::State::open : Breaker::State::closed);
  }
}

// A slower and simpler account of the same rules, for the common part of a policy: no server
// waits, no guards, no jitter.
std::string naive(const Policy& policy, const std::vector<int>& statuses) {
  std::string text;
  Duration now{0};
  Duration wait = policy.backoff.base;
  for (std::size_t i = 0;; ++i) {
    text += format_duration(now) + " ";
    const int got = statuses[std::min(i, statuses.size() - 1)];
    if (got < 400) return text + "| succeeded";
    if (!policy.statuses.contains(got)) return text + "| permanent_status";
    if (i + 1 == policy.attempts) return text + "| attempts_exhausted";
    if (now + wait >= policy.deadline) return text + "| deadline";
    now += wait;
    wait = std::min(policy.backoff.cap, 2 * wait);
  }
}

TEST(NextMove, agrees_with_a_naive_model_on_every_short_script) {
  constexpr int kStatuses[] = {200, 400, 429, 503};
  for (const Duration deadline : {Duration(600ms), Duration(4s), Duration(30s)}) {
    for (std::uint32_t attempts = 1; attempts <= 4; ++attempts) {
      for (int code = 0; code < 256; ++code) {
        Policy policy = plain();
        policy.attempts = attempts;
        policy.deadline = deadline;
        std::vector<int> script;
        std::vector<Outcome> outcomes;
        for (int digits = code, i = 0; i < 4; ++i, digits /= 4) {
          script.push_back(kStatuses[digits % 4]);
          outcomes.push_back(status(script.back()));
        }
        ASSERT_EQ(story(outcomes, policy), naive(policy, script)) << code;
      }
    }
  }
}

// Whatever the policy and the answers: instants never go back, waits are never negative, nothing
// starts at or after the deadline, attempts keep their limit, and it ends.
TEST(NextMove, holds_its_promises_for_ten_thousand_random_operations) {
  constexpr const char* kValues[] = {"0",
                                     "1",
                                     "7",
                                     "86400",
                                     "99999999999999999999",
                                     "soon",
                                     "Mon, 30 Nov 2026 12:00:05 GMT",
                                     "Sunday, 06-Nov-94 08:49:37 GMT"};
  constexpr Jitter kJitters[] = {Jitter::none, Jitter::full, Jitter::equal, Jitter::decorrelated,
                                 Jitter::proportional};
  constexpr RetryAfterRule kRules[] = {RetryAfterRule::honour_or_fail,
                                       RetryAfterRule::honour_or_back_off, RetryAfterRule::clamp,
                                       RetryAfterRule::ignore};
  Random random(99);
  for (int i = 0; i < 10'000; ++i) {
    Policy policy = careful();
    policy.attempts = static_cast<std::uint32_t>(1 + random.below(50));
    policy.backoff.base = random.between(0s, 1s);
    policy.backoff.cap = policy.backoff.base + random.between(0s, 100s);
    policy.backoff.factor_thousandths = static_cast<std::int64_t>(1000 + random.below(999'000));
    policy.backoff.jitter = kJitters[random.below(5)];
    policy.deadline = random.chance({1, 10}) ? kForever : random.between(1ns, 100s);
    policy.server_wait.rule = kRules[random.below(3)];
    ASSERT_TRUE(checked(policy));
    std::vector<Outcome> outcomes;
    for (int k = 0; k < 10; ++k) {
      outcomes.push_back(random.chance({1, 2})
                             ? status(503, {{"Retry-After", kValues[random.below(8)]}})
                             : failure(Failure::timeout));
    }
    const Told told = tell({.policy = policy,
                            .outcomes = outcomes,
                            .attempt_takes = random.between(0s, 1s),
                            .seed = random.next()});
    ASSERT_LE(told.attempts.size(), policy.attempts);
    for (const WaitUntil& wait : told.waits) ASSERT_GE(wait.wait, 0s);
    Instant before{};
    for (const Instant attempt : told.attempts) {
      ASSERT_GE(attempt, before);
      if (policy.deadline != kForever) {
        ASSERT_LT(attempt, Instant(policy.deadline));
      }
      before = attempt;
    }
  }
}

}  // namespace
}  // namespace retrylab
