// SPDX-License-Identifier: MIT
#include "client_lib/retry/breaker.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace retrylab {
namespace {

using namespace std::chrono_literals;

Instant at(Duration time) {
  return Instant(time);
}

// One call that is admitted and settles at once; false when it was refused.
bool call(Breaker& breaker, Instant now, bool failed) {
  const std::optional<BreakerPermit> permit = breaker.admit(now);
  if (permit) breaker.settle(*permit, failed, now);
  return permit.has_value();
}

void fail_times(Breaker& breaker, int times, Instant now) {
  for (int i = 0; i < times; ++i) call(breaker, now, true);
}

constexpr BreakerPolicy kTen{
    .calls = 10, .threshold = {1, 2}, .min_calls = 10, .cool_down = 5s, .probe_timeout = 2s};

TEST(Breaker, opens_at_the_threshold_once_there_were_enough_calls) {
  Breaker breaker(kTen);
  for (int i = 0; i < 5; ++i) call(breaker, at(0s), false);
  fail_times(breaker, 4, at(0s));
  EXPECT_EQ(breaker.state(), Breaker::State::closed);
  fail_times(breaker, 1, at(0s));
  EXPECT_EQ(breaker.state(), Breaker::State::open);
}

TEST(Breaker, stays_closed_below_the_threshold) {
  Breaker breaker(kTen);
  for (int i = 0; i < 1'000; ++i) call(breaker, at(0s), i % 5 < 2);  // 40 %
  EXPECT_EQ(breaker.state(), Breaker::State::closed);
}

TEST(Breaker, old_calls_leave_the_count_window) {
  Breaker breaker(kTen);
  fail_times(breaker, 4, at(0s));
  for (int i = 0; i < 10; ++i) call(breaker, at(0s), false);
  fail_times(breaker, 4, at(0s));
  EXPECT_EQ(breaker.state(), Breaker::State::closed);
  fail_times(breaker, 1, at(0s));
  EXPECT_EQ(breaker.state(), Breaker::State::open);
}

TEST(Breaker, old_calls_leave_the_time_window) {
  Breaker breaker({.time = 10s, .threshold = {1, 2}, .min_calls = 4});
  fail_times(breaker, 3, at(0s));
  call(breaker, at(11s), false);
  call(breaker, at(11s), false);
  call(breaker, at(11s), false);
  fail_times(breaker, 2, at(12s));
  EXPECT_EQ(breaker.state(), Breaker::State::closed);
  fail_times(breaker, 1, at(12s));
  EXPECT_EQ(breaker.state(), Breaker::State::open);
}

// RULES CB-2: zero traffic while open. Every millisecond of the cool-down is tried.
TEST(Breaker, certificate_cb_2_nothing_passes_during_the_cool_down) {
  Breaker breaker(kTen);
  fail_times(breaker, 10, at(1s));
  for (Duration now = 1s; now < 6s; now += 1ms) {
    ASSERT_FALSE(breaker.admit(at(now))) << now.count();
    ASSERT_TRUE(breaker.surely_refuses(at(now)));
  }
  EXPECT_FALSE(breaker.surely_refuses(at(6s)));
  EXPECT_TRUE(breaker.admit(at(6s)));
}

// RULES CB-3: at most k probes outstanding while half-open, whatever is offered.
TEST(Breaker, certificate_cb_3_only_the_probes_pass_while_half_open) {
  for (const std::uint32_t probes : {1U, 2U, 10U}) {
    BreakerPolicy policy = kTen;
    policy.probes = probes;
    Breaker breaker(policy);
    fail_times(breaker, 10, at(0s));
    std::uint32_t passed = 0;
    for (int i = 0; i < 100; ++i) passed += breaker.admit(at(5s + i * 1ms)) ? 1U : 0U;
    EXPECT_EQ(passed, probes);
  }
}

TEST(Breaker, closes_when_every_probe_succeeds) {
  BreakerPolicy policy = kTen;
  policy.probes = 2;
  Breaker breaker(policy);
  fail_times(breaker, 10, at(0s));
  EXPECT_TRUE(call(breaker, at(5s), false));
  EXPECT_EQ(breaker.state(), Breaker::State::half_open);
  EXPECT_TRUE(call(breaker, at(5s), false));
  EXPECT_EQ(breaker.state(), Breaker::State::closed);
  fail_times(breaker, 9, at(5s));  // the window is empty again: nine are too few
  EXPECT_EQ(breaker.state(), Breaker::State::closed);
}

TEST(Breaker, certificate_cb_4_a_failed_probe_starts_a_whole_cool_down) {
  Breaker breaker(kTen);
  fail_times(breaker, 10, at(0s));
  EXPECT_TRUE(call(breaker, at(5s), true));
  EXPECT_FALSE(breaker.admit(at(9999ms)));
  EXPECT_TRUE(call(breaker, at(10s), false));
  EXPECT_EQ(breaker.state(), Breaker::State::closed);
}

TEST(Breaker, a_probe_that_never_settles_counts_as_failed) {
  Breaker breaker(kTen);
  fail_times(breaker, 10, at(0s));
  const auto lost = breaker.admit(at(5s));
  ASSERT_TRUE(lost);
  EXPECT_FALSE(breaker.admit(at(6999ms)));
  EXPECT_FALSE(breaker.admit(at(7s)));  // timed out: open until 12 s
  EXPECT_EQ(breaker.state(), Breaker::State::open);
  breaker.settle(*lost, false, at(8s));  // too late to count
  EXPECT_EQ(breaker.state(), Breaker::State::open);
  EXPECT_FALSE(breaker.admit(at(11'999ms)));
  EXPECT_TRUE(breaker.admit(at(12s)));
}

TEST(Breaker, a_probe_without_a_result_frees_its_place) {
  Breaker breaker(kTen);
  fail_times(breaker, 10, at(0s));
  const auto cancelled = breaker.admit(at(5s));
  ASSERT_TRUE(cancelled);
  EXPECT_FALSE(breaker.admit(at(5s)));
  breaker.settle(*cancelled, std::nullopt, at(5s));
  EXPECT_TRUE(breaker.admit(at(5s)));
}

TEST(Breaker, calls_from_before_it_opened_count_for_nothing) {
  Breaker breaker(kTen);
  std::vector<BreakerPermit> slow;
  for (int i = 0; i < 20; ++i) slow.push_back(*breaker.admit(at(0s)));
  fail_times(breaker, 10, at(0s));
  ASSERT_TRUE(breaker.admit(at(5s)));
  for (const BreakerPermit permit : slow) breaker.settle(permit, true, at(5s));
  EXPECT_EQ(breaker.state(), Breaker::State::half_open);
}

}  // namespace
}  // namespace retrylab
