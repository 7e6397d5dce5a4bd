// SPDX-License-Identifier: MIT
#include "server/sim/draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/server/sim/models/sample.h"

namespace retrylab::sim {
namespace {

using std::chrono::milliseconds;

TEST(Draws, the_logarithm_is_exact_to_two_millionths) {
  Random random(1);
  std::vector<std::uint64_t> inputs{0, 1, 2, UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX};
  for (int i = 0; i < 10'000; ++i) inputs.push_back(random.next() >> (i % 60));
  for (const std::uint64_t bits : inputs) {
    const double u = (static_cast<double>(bits) + 1) / 18446744073709551616.0;
    EXPECT_NEAR(static_cast<double>(minus_log(bits)) / 4294967296.0, -std::log(u), 1e-6) << bits;
  }
}

TEST(Draws, the_logarithm_never_rises) {
  std::int64_t before = minus_log(0);
  for (std::uint64_t step = 1; step < 100'000; ++step) {
    const std::int64_t value = minus_log(step * (UINT64_MAX / 100'000));
    EXPECT_LE(value, before);
    before = value;
  }
  EXPECT_EQ(minus_log(UINT64_MAX), 0);
}

TEST(Draws, exponential_has_its_mean_and_deviation) {
  Random random(2);
  Sample sample;
  for (int i = 0; i < 100'000; ++i) {
    sample.add(static_cast<double>(draw_exponential(milliseconds(10), random).count()) / 1e6);
  }
  EXPECT_NEAR(sample.mean(), 10, 4 * sample.error());
  EXPECT_NEAR(sample.deviation(), 10, 0.2);
}

TEST(Draws, normal_has_its_mean_and_deviation_and_is_never_negative) {
  Random random(3);
  Sample sample;
  for (int i = 0; i < 100'000; ++i) {
    const Duration delay = draw_normal(milliseconds(10), milliseconds(2), random);
    ASSERT_GE(delay, Duration(0));
    sample.add(static_cast<double>(delay.count()) / 1e6);
  }
  EXPECT_NEAR(sample.mean(), 10, 4 * sample.error());
  EXPECT_NEAR(sample.deviation(), 2, 0.04);
}

}  // namespace
}  // namespace retrylab::sim
