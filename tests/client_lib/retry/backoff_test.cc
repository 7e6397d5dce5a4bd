// SPDX-License-Identifier: MIT
#include "client_lib/retry/backoff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace retrylab {
namespace {

using namespace std::chrono_literals;

std::vector<Duration> ceilings(const Backoff& backoff, int count) {
  std::vector<Duration> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(backoff_ceiling(backoff, static_cast<std::uint64_t>(i)));
  }
  return result;
}

TEST(Backoff, ceilings_grow_by_the_factor_up_to_the_cap) {
  EXPECT_EQ(ceilings({}, 7), (std::vector<Duration>{250ms, 500ms, 1s, 2s, 4s, 8s, 8s}));
  EXPECT_EQ(ceilings({.base = 1s, .factor_thousandths = 1500, .cap = 3s}, 4),
            (std::vector<Duration>{1s, 1500ms, 2250ms, 3s}));
  EXPECT_EQ(ceilings({.base = 2s, .factor_thousandths = 1000, .cap = 2s}, 3),
            (std::vector<Duration>{2s, 2s, 2s}));
}

TEST(Backoff, the_first_retry_may_come_at_once) {
  for (const Jitter jitter : {Jitter::none, Jitter::full, Jitter::decorrelated}) {
    Backoff backoff{.base = 1s, .cap = 60s, .jitter = jitter};
    Random plain(7);
    BackoffState from_first;
    const Duration first = draw_backoff(backoff, false, from_first, plain);
    const Duration second = draw_backoff(backoff, false, from_first, plain);
    backoff.first_at_once = true;
    Random random(7);
    BackoffState state;
    EXPECT_EQ(draw_backoff(backoff, false, state, random), 0s);
    EXPECT_EQ(draw_backoff(backoff, false, state, random), first);
    EXPECT_EQ(draw_backoff(backoff, false, state, random), second);
  }
}

TEST(Backoff, the_first_ceiling_may_be_doubled) {
  EXPECT_EQ(ceilings({.first_ceiling_doubled = true}, 3), (std::vector<Duration>{500ms, 1s, 2s}));
}

TEST(Backoff, throttling_may_have_its_own_base) {
  const Backoff backoff{.base = 50ms, .cap = 20s, .throttle_base = 1s};
  EXPECT_EQ(backoff_ceiling(backoff, 2), 200ms);
  EXPECT_EQ(backoff_ceiling(backoff, 2, true), 4s);
}

TEST(Backoff, no_index_and_no_factor_overflows) {
  const std::uint64_t indices[] = {31,        32, 62, 63, 64, 1'000, UINT32_MAX, UINT64_MAX - 1,
                                   UINT64_MAX};
  for (const std::uint64_t index : indices) {
    EXPECT_EQ(backoff_ceiling({}, index), 8s) << index;
    EXPECT_EQ(backoff_ceiling({.factor_thousandths = 1'000'000, .cap = 24h * 366}, index),
              24h * 366);
    EXPECT_EQ(backoff_ceiling({.base = 1ns, .factor_thousandths = 1'001}, index), 1ns);
    EXPECT_EQ(backoff_ceiling({.base = 0s}, index), 0s);
  }
}

// The support of each jitter, and that its draws come close to both ends.
TEST(Backoff, draws_fill_their_support_and_nothing_else) {
  const struct {
    Jitter jitter;
    Duration low;
    Duration high;
  } rows[] = {{Jitter::none, 1s, 1s},
              {Jitter::full, 0s, 1s},
              {Jitter::equal, 500ms, 1s},
              {Jitter::proportional, 800ms, 1200ms}};
  for (const auto& row : rows) {
    const Backoff backoff{.base = 250ms, .jitter = row.jitter, .spread = {1, 5}};
    Random random(11);
    Duration lowest = kForever;
    Duration highest{0};
    for (int i = 0; i < 10'000; ++i) {
      BackoffState state{.waits = 2};
      const Duration wait = draw_backoff(backoff, false, state, random);
      lowest = std::min(lowest, wait);
      highest = std::max(highest, wait);
    }
    EXPECT_GE(lowest, row.low) << word(row.jitter);
    EXPECT_LE(lowest, row.low + 2ms) << word(row.jitter);
    EXPECT_LE(highest, row.high) << word(row.jitter);
    EXPECT_GE(highest, row.high - 2ms) << word(row.jitter);
  }
}

// Pearson's statistic over 20 cells; 43.8 is the 99.9 % quantile for 19 degrees of freedom.
TEST(Backoff, full_jitter_is_uniform) {
  Random random(12);
  std::array<int, 20> counts{};
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    BackoffState state;
    const Duration wait = draw_backoff({.base = 1s}, false, state, random);
    ++counts.at(static_cast<std::size_t>(std::min<std::int64_t>(19, wait / 50ms)));
  }
  double statistic = 0;
  for (const int count : counts) {
    statistic += (count - kDraws / 20.0) * (count - kDraws / 20.0) / (kDraws / 20.0);
  }
  EXPECT_LT(statistic, 43.8);
}

TEST(Backoff, decorrelated_jitter_draws_between_the_base_and_thrice_the_wait_before) {
  const Backoff backoff{.base = 100ms, .cap = 5s, .jitter = Jitter::decorrelated};
  Random random(13);
  bool capped = false;
  for (int operation = 0; operation < 1'000; ++operation) {
    BackoffState state;
    Duration before = 100ms;
    for (int i = 0; i < 8; ++i) {
      const Duration wait = draw_backoff(backoff, false, state, random);
      EXPECT_GE(wait, 100ms);
      EXPECT_LE(wait, std::min<Duration>(5s, 3 * before));
      capped = capped || wait == 5s;
      before = wait;
    }
  }
  EXPECT_TRUE(capped);
}

TEST(Backoff, the_same_stream_draws_the_same_waits) {
  Random one(14);
  Random two(14);
  BackoffState first;
  BackoffState second;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(draw_backoff({}, false, first, one), draw_backoff({}, false, second, two));
  }
}

// A retry chain longer than any policy allows: waits stay below the cap and never turn negative
// (the bug class of `1 << retries`).
TEST(Backoff, waits_stay_between_zero_and_the_cap_for_ten_thousand_retries) {
  for (const Jitter jitter : {Jitter::none, Jitter::full, Jitter::equal, Jitter::decorrelated}) {
    Random random(15);
    BackoffState state;
    for (int i = 0; i < 10'000; ++i) {
      const Duration wait = draw_backoff({.base = 1ms, .jitter = jitter}, false, state, random);
      ASSERT_GE(wait, 0s);
      ASSERT_LE(wait, 8s);
    }
  }
}

}  // namespace
}  // namespace retrylab
