// SPDX-License-Identifier: MIT
#include "server/verify/statistics/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "client_lib/base/random.h"
#include "server/verify/statistics/backoff_model.h"
#include "server/verify/statistics/sorted.h"

namespace retrylab::verify::statistics {
namespace {

using namespace std::chrono_literals;

double unit(Random& random) {
  return static_cast<double>(random.below(1'000'000)) / 1e6;
}

TEST(BinomialTail, matches_exact_values) {
  EXPECT_NEAR(binomial_tail(3, 3, 0.02), 8e-6, 1e-12);
  EXPECT_NEAR(binomial_tail(2, 1, 0.5), 0.75, 1e-12);
  EXPECT_EQ(binomial_tail(5, 0, 0.1), 1);
  EXPECT_EQ(binomial_tail(5, 6, 0.1), 0);
  EXPECT_EQ(binomial_tail(5, 5, 1), 1);
}

TEST(AgainstUniform, has_the_published_critical_values) {
  // RULES.md BO-7: at n = 10, D = .488 has p = 1% and .578 has 0.1%; at 100, .161 and .192.
  struct Case {
    int count;
    double distance;
    double p;
  };
  for (const Case& one : {Case{10, .488, .01}, Case{20, .352, .01}, Case{50, .226, .01},
                          Case{100, .161, .01}, Case{100, .192, .001}}) {
    // Samples at the middles of their steps, then moved up: the distance is known.
    std::vector<double> samples;
    for (int i = 0; i < one.count; ++i) {
      samples.push_back(std::min(1.0, (i + 0.0) / one.count + one.distance));
    }
    const KolmogorovSmirnov test = against_uniform(samples);
    EXPECT_NEAR(test.distance, one.distance, 1e-9) << one.count;
    EXPECT_NEAR(test.p_value, one.p, one.p * 0.25) << one.count;
  }
}

TEST(DispersionByChance, matches_tables_of_chi_squared) {
  EXPECT_NEAR(dispersion_by_chance(1), 15.137, 0.001);
  EXPECT_NEAR(dispersion_by_chance(100) * 100, 161.319, 0.01);
}

TEST(Sorted, many_are_in_the_order_that_few_are) {
  Random random(4);
  std::vector<double> numbers{0.0, -0.0, 1e300, -1e300, 1e-300};
  for (int i = 0; i < 20'000; ++i) {
    numbers.push_back(static_cast<double>(random.between(Duration(-5000), Duration(5000)).count()) /
                      7.0);
  }
  std::vector<double> expected = numbers;
  std::ranges::sort(expected);
  const std::vector<Placed> order = in_order(numbers);
  std::vector<double> sorted = numbers;
  sort_numbers(sorted);
  EXPECT_EQ(sorted, expected);
  ASSERT_EQ(order.size(), numbers.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ASSERT_EQ(order[i].value, expected[i]);
    ASSERT_EQ(order[i].value, numbers[order[i].place]);
    if (i > 0 && order[i - 1].value == order[i].value && order[i].value != 0) {
      ASSERT_LT(order[i - 1].place, order[i].place);
    }
  }
}

TEST(AgainstUniform, accepts_what_is_uniform) {
  Random random(11);
  int rejected = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> samples;
    for (int i = 0; i < 20; ++i) samples.push_back(unit(random));
    rejected += against_uniform(samples).p_value < 0.01 ? 1 : 0;
  }
  EXPECT_NEAR(rejected, 20, 16);
}

TEST(RankCorrelation, is_one_for_what_rises_together) {
  const std::array<double, 4> up{1, 2, 3, 10};
  const std::array<double, 4> down{9, 3, 2, 1};
  const std::array<double, 4> flat{5, 5, 5, 5};
  EXPECT_NEAR(rank_correlation(up, up), 1, 1e-12);
  EXPECT_NEAR(rank_correlation(up, down), -1, 1e-12);
  EXPECT_EQ(rank_correlation(up, flat), 0);
}

TEST(DensestWindow, counts_the_fullest_stretch) {
  EXPECT_EQ(densest_window({0.0, 0.1, 0.15, 0.9, 1.0}, 0.1), 2u);
  EXPECT_EQ(densest_window({0.0, 0.1, 0.15, 0.2, 1.0}, 0.1), 3u);
  EXPECT_EQ(densest_window({}, 0.1), 0u);
}

TEST(DensestByChance, is_not_below_the_published_table) {
  struct Case {
    std::size_t clients;
    double share;
    std::size_t table;
  };
  for (const Case& one : {Case{20, .02, 5},
                          {20, .05, 7},
                          {20, .1, 9},
                          {50, .02, 8},
                          {50, .05, 11},
                          {50, .1, 16},
                          {100, .02, 11},
                          {100, .05, 17},
                          {100, .1, 25},
                          {200, .1, 40},
                          {500, .1, 81},
                          {1000, .02, 44},
                          {1000, .05, 85},
                          {1000, .1, 143},
                          {5000, .1, 596}}) {
    const std::size_t bound = densest_by_chance(one.clients, one.share);
    EXPECT_GE(bound, one.table) << one.clients << " " << one.share;
    EXPECT_LE(bound, one.table + one.table / 5 + 4) << one.clients << " " << one.share;
  }
}

// RULES.md BO-6: base 0.2 s, cap 3.2 s, four retries, noise of 0.1 to 0.5 ms.
std::vector<Wait> drawn(JitterKind kind, int operations, Random& random) {
  std::vector<Wait> waits;
  for (int operation = 0; operation < operations; ++operation) {
    Duration previous = 200ms;
    for (int retry = 1; retry <= 4; ++retry) {
      const Duration top = std::min<Duration>(3200ms, 200ms * (1 << (retry - 1)));
      Duration wait = top;
      if (kind == JitterKind::full) wait = random.between(0ms, top);
      if (kind == JitterKind::equal) wait = top / 2 + random.between(0ms, top / 2);
      if (kind == JitterKind::decorrelated) {
        wait = std::min<Duration>(3200ms,
                                  random.between(200ms, std::max<Duration>(200ms, previous * 3)));
      }
      const Duration measured = wait + random.between(100us, 500us);
      waits.push_back({.time = measured, .ceiling = top, .previous = previous});
      previous = measured;
    }
  }
  return waits;
}

TEST(ChooseModel, sixteen_waits_decide_the_four_common_kinds) {
  for (const JitterKind kind :
       {JitterKind::none, JitterKind::full, JitterKind::equal, JitterKind::decorrelated}) {
    int right = 0;
    int wrong = 0;
    for (std::uint64_t trial = 0; trial < 500; ++trial) {
      Random random = Random::stream(17, word(kind), trial);
      const ModelChoice choice = choose_model(drawn(kind, 4, random), 200ms, 3200ms);
      if (!choice.is_decided) continue;
      (choice.best == kind ? right : wrong) += 1;
    }
    EXPECT_GE(right, 495) << word(kind);
    EXPECT_LE(wrong, 1) << word(kind);
  }
}

}  // namespace
}  // namespace retrylab::verify::statistics
