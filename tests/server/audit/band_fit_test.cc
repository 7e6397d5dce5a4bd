// SPDX-License-Identifier: MIT
#include "server/audit/infer/band_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "server/audit/infer/added_fit.h"

namespace retrylab::audit {
namespace {

constexpr BandLimits kNoSpread{0, 0.02};

// So many operations of five retries each, a millisecond or two late.
template <typename Wait>
std::vector<GrowingWait> waits_of(int operations, const Wait& wait) {
  std::vector<GrowingWait> waits;
  for (int operation = 0; operation < operations; ++operation) {
    for (std::size_t retry = 1; retry <= 5; ++retry) {
      waits.push_back({retry, wait(static_cast<double>(retry)) + 0.001 * (operation % 3)});
    }
  }
  return waits;
}

TEST(BandFit, waits_that_double_up_to_a_cap_are_told_so) {
  const auto waits =
      waits_of(10, [](double retry) { return std::min(3.0, 0.5 * std::pow(2, retry - 1)); });
  const auto fit = fit_band(waits, kNoSpread, usual_factors());
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->factor, 2);
  EXPECT_EQ(fit->power, 0U);
  EXPECT_NEAR(fit->middle, 0.5, 0.01);
  ASSERT_TRUE(fit->cap);
  EXPECT_NEAR(*fit->cap, 3, 0.05);
}

TEST(BandFit, waits_that_grow_as_1_2_3_have_no_factor) {
  const auto linear =
      fit_band(waits_of(10, [](double retry) { return retry; }), kNoSpread, usual_factors());
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->power, 1U);
  const auto squares = fit_band(waits_of(10, [](double retry) { return retry * retry; }), kNoSpread,
                                usual_factors());
  ASSERT_TRUE(squares);
  EXPECT_EQ(squares->power, 2U);
}

TEST(BandFit, a_wait_that_a_busy_host_made_late_is_not_the_end_of_the_band) {
  auto waits = waits_of(5, [](double) { return 0.25; });
  waits.back().seconds = 0.4;
  const auto fit = fit_band(waits, kNoSpread, usual_factors());
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->middle, 0.251, 0.002);
}

TEST(BandFit, waits_over_a_wide_range_are_not_without_spread) {
  const auto waits = waits_of(5, [](double retry) { return 0.1 * retry * retry * retry; });
  EXPECT_FALSE(fit_band(waits, kNoSpread, std::vector<double>{1.0, 2.0}));
}

// As urllib3 waits with backoff_factor 0.5 and backoff_jitter 0.1.
std::vector<GrowingWait> added_to(double base, double most) {
  int draw = 0;
  return waits_of(8, [&](double retry) {
    draw = (draw + 7) % 20;
    return base * std::pow(2, retry - 1) + most * draw / 20.0;
  });
}

TEST(AddedFit, what_is_added_to_long_and_short_waits_alike_is_no_share_of_them) {
  const auto waits = added_to(0.5, 0.1);
  const auto fit = fit_added(waits, usual_factors());
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->factor, 2);
  EXPECT_NEAR(fit->base, 0.5, 0.01);
  EXPECT_NEAR(fit->added, 0.1, 0.02);
  const auto share = fit_band(waits);
  ASSERT_TRUE(share);
  EXPECT_GT(fit->log_likelihood, share->log_likelihood);
}

TEST(AddedFit, a_share_of_the_wait_is_not_taken_for_it) {
  int draw = 0;
  const auto waits = waits_of(8, [&](double retry) {
    draw = (draw + 7) % 20;
    return 0.5 * std::pow(2, retry - 1) * (0.9 + 0.2 * draw / 20.0);
  });
  const auto share = fit_band(waits);
  ASSERT_TRUE(share);
  const auto fit = fit_added(waits, usual_factors());
  EXPECT_TRUE(!fit || fit->log_likelihood < share->log_likelihood);
}

TEST(AddedFit, what_timers_add_is_not_jitter) {
  EXPECT_FALSE(fit_added(added_to(0.5, 0.004), usual_factors()));
  EXPECT_FALSE(fit_added(waits_of(5, [](double) { return 0.25; }), usual_factors()));
}

}  // namespace
}  // namespace retrylab::audit
