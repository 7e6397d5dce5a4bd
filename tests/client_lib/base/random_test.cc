// SPDX-License-Identifier: MIT
// The streams are part of every reproducible run, so their first draws are pinned here: a change
// of the generator would change every plan and every simulation.
#include "client_lib/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

namespace retrylab {
namespace {

TEST(Random, first_draws_are_pinned) {
  // xoshiro256** seeded by SplitMix64(42), computed by a second implementation.
  Random random(42);
  EXPECT_EQ(random.next(), 1546998764402558742U);
  EXPECT_EQ(random.next(), 6990951692964543102U);
  EXPECT_EQ(random.next(), 12544586762248559009U);
}

TEST(Random, a_copy_replays) {
  Random one(7);
  one.next();
  Random two = one;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(one.next(), two.next());
}

TEST(Random, streams_differ_by_seed_purpose_and_index) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const char* purpose : {"jitter", "chance", "delay"}) {
      for (std::uint64_t index = 0; index < 100; ++index) {
        firsts.insert(Random::stream(seed, purpose, index).next());
      }
    }
  }
  EXPECT_EQ(firsts.size(), 10U * 3 * 100);
}

TEST(Random, below_one_is_zero_and_still_draws) {
  Random one(1);
  Random two(1);
  EXPECT_EQ(one.below(1), 0U);
  two.next();
  EXPECT_EQ(one, two);
}

// Pearson's statistic over equal cells; 99.9999 % quantiles for the degrees of freedom used here.
double chi_squared(const auto& counts, double total) {
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Random, below_is_uniform) {
  Random random(3);
  std::array<int, 10> counts{};
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(random.below(10));
  EXPECT_LT(chi_squared(counts, kDraws), 46.6);  // 9 degrees of freedom
}

// A bound just over half the range: taking the remainder would favour the low values two to one.
TEST(Random, below_has_no_bias_at_awkward_bounds) {
  Random random(4);
  constexpr std::uint64_t kBound = (std::uint64_t{1} << 63U) + (std::uint64_t{1} << 62U);
  std::array<int, 3> counts{};
  constexpr int kDraws = 90'000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(random.below(kBound) / (kBound / 3));
  EXPECT_LT(chi_squared(counts, kDraws), 27.7);  // 2 degrees of freedom
}

TEST(Random, between_includes_both_ends_and_nothing_outside) {
  Random random(5);
  std::array<int, 5> counts{};
  constexpr int kDraws = 50'000;
  for (int i = 0; i < kDraws; ++i) {
    ++counts.at(static_cast<std::size_t>(random.between(Duration(-2), Duration(2)).count() + 2));
  }
  EXPECT_LT(chi_squared(counts, kDraws), 33.4);  // 4 degrees of freedom
}

TEST(Random, between_bears_the_whole_range) {
  Random random(6);
  EXPECT_EQ(random.between(kForever, kForever), kForever);
  for (int i = 0; i < 100; ++i) random.between(Duration::min(), Duration::max());
}

TEST(Random, chance_has_its_probability) {
  const Ratio rows[] = {{0, 1}, {1, 1}, {1, 2}, {3, 20}, {1, 1000}, {999, 1000}};
  for (const Ratio ratio : rows) {
    Random random(8);
    constexpr int kDraws = 100'000;
    int hits = 0;
    for (int i = 0; i < kDraws; ++i) hits += random.chance(ratio) ? 1 : 0;
    const double p = static_cast<double>(ratio.part) / static_cast<double>(ratio.whole);
    const double sigma = std::sqrt(kDraws * p * (1 - p));
    EXPECT_NEAR(hits, kDraws * p, 5 * sigma) << ratio.part << "/" << ratio.whole;
  }
}

TEST(Random, chance_draws_once_whatever_the_ratio) {
  for (const Ratio ratio : {Ratio{0, 1}, Ratio{1, 1}, Ratio{1, 2}}) {
    Random one(9);
    Random two(9);
    one.chance(ratio);
    two.next();
    EXPECT_EQ(one, two);
  }
}

}  // namespace
}  // namespace retrylab
