// SPDX-License-Identifier: MIT
#include "server/verify/timing.h"

#include <gtest/gtest.h>

#include "server/verify/lag_index.h"
#include "server/verify/settings.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;

TEST(Early, is_judged_by_2_and_20_milliseconds) {
  struct Case {
    Duration wait;
    Early early;
  };
  for (const Case& one : {Case{2s, Early::no}, Case{1s, Early::no}, Case{998ms, Early::no},
                          Case{998ms - 1ns, Early::slightly}, Case{980ms, Early::slightly},
                          Case{980ms - 1ns, Early::proven}, Case{0s, Early::proven}}) {
    EXPECT_EQ(early(one.wait, 1s), one.early) << one.wait.count();
  }
  EXPECT_EQ(early(1h, kForever), Early::proven);
}

TEST(Late, is_proven_only_beyond_tolerance_connection_and_lag) {
  const auto judged = [](Duration wait) {
    return late({.wait = wait, .allowed = 1s, .connecting = 10ms, .lag = 100ms});
  };
  EXPECT_EQ(judged(1s), Late::no);
  EXPECT_EQ(judged(1035ms), Late::no);
  EXPECT_EQ(judged(1035ms + 1ns), Late::explained);
  EXPECT_EQ(judged(1135ms), Late::explained);
  EXPECT_EQ(judged(1135ms + 1ns), Late::proven);
  EXPECT_EQ(late({.wait = 100h, .allowed = kForever}), Late::no);
}

TEST(LagIndex, sums_what_touches_a_stretch_and_some_of_the_worst) {
  const auto at = [](Duration time) { return Instant(time); };
  const LagIndex lags({{at(5s), 2s}, {at(1s), 10ms}, {at(9s), 30ms}});
  EXPECT_EQ(lags.worst(), 2s);
  EXPECT_EQ(lags.explains(at(10s), at(20s)), kNeighbourLagMax);
  EXPECT_EQ(lags.explains(at(0s), at(2s)), 10ms + kNeighbourLagMax);
  EXPECT_EQ(lags.explains(at(2s), at(4s)), 2s + kNeighbourLagMax) << "it slept from 3s to 5s";
  EXPECT_EQ(lags.explains(at(0s), at(20s)), 2040ms + kNeighbourLagMax);
  EXPECT_EQ(LagIndex({}).explains(at(0s), at(20s)), 0s);
}

TEST(Ceiling, grows_to_the_cap_without_overflow) {
  Settings settings;
  EXPECT_EQ(ceiling(settings, 1), std::nullopt);
  settings.base = 250ms;
  settings.cap = 8s;
  EXPECT_EQ(ceiling(settings, 1), 250ms);
  EXPECT_EQ(ceiling(settings, 2), 500ms);
  EXPECT_EQ(ceiling(settings, 6), 8s);
  EXPECT_EQ(ceiling(settings, 4'000'000'000U), 8s);
  settings.shift = 1;
  EXPECT_EQ(ceiling(settings, 1), 500ms);
  settings.factor_thousandths = 1500;
  EXPECT_EQ(ceiling(settings, 1), 375ms);
  settings.cap.reset();
  EXPECT_EQ(ceiling(settings, 1000), kForever);
}

TEST(WaitBand, is_the_jitters) {
  Settings settings;
  settings.base = 1s;
  settings.cap = 8s;
  EXPECT_FALSE(wait_band(settings, 1, std::nullopt));
  settings.band = Band{500, 1000};
  EXPECT_EQ(wait_band(settings, 2, std::nullopt)->least, 1s);
  EXPECT_EQ(wait_band(settings, 2, std::nullopt)->most, 2s);
  settings.decorrelated = true;
  EXPECT_EQ(wait_band(settings, 2, 2s)->least, 1s);
  EXPECT_EQ(wait_band(settings, 2, 2s)->most, 6s);
  EXPECT_EQ(wait_band(settings, 2, 5s)->most, 8s);
}

}  // namespace
}  // namespace retrylab::verify
