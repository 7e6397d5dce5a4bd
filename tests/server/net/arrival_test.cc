// SPDX-License-Identifier: MIT
// Kernel stamps on the run's clock: exact while nobody sets the wall clock, nothing when somebody
// has.
#include "server/net/arrival.h"

#include <chrono>

#include <gtest/gtest.h>

namespace retrylab::net {
namespace {

using namespace std::chrono_literals;

struct Stamps {
  // These are other clocks than those that the first look was at.
  Stamps() {
    see(0s);
    now += 1s;
    wall += 1s;
  }

  // A stamp `ago`, looked at now; the wall clock is `set` ahead.
  std::optional<Duration> see(Duration ago, Duration set = 0s) {
    const auto at = arrivals.convert(wall - ago, wall + set, now);
    return at ? std::optional(now - *at) : std::nullopt;
  }

  Clock clock;
  ArrivalClock arrivals{clock};
  Instant now{1h};
  WallTime wall{std::chrono::hours(500'000)};
};

TEST(arrival, is_as_long_ago_as_the_stamp) {
  Stamps stamps;
  EXPECT_EQ(stamps.see(0s), Duration(0s));
  EXPECT_EQ(stamps.see(30ms), Duration(30ms));
}

TEST(arrival, is_later_and_not_earlier_when_the_look_at_the_clocks_was_interrupted) {
  Stamps stamps;
  stamps.now += 500us;
  EXPECT_EQ(stamps.see(30ms), Duration(30ms));  // in truth 30.5 ms
}

TEST(arrival, is_unknown_for_stamps_of_a_wall_clock_that_was_set) {
  for (const Duration set : {Duration(1h), Duration(-1h)}) {
    Stamps stamps;
    EXPECT_EQ(stamps.see(30ms, set), std::nullopt);
    EXPECT_EQ(stamps.see(20ms, set), std::nullopt);
    stamps.now += 1s;
    stamps.wall += 1s;
    EXPECT_EQ(stamps.see(30ms - set, set), Duration(30ms));
  }
}

TEST(arrival, is_unknown_in_the_future) {
  Stamps stamps;
  EXPECT_EQ(stamps.see(-1ms), std::nullopt);
}

}  // namespace
}  // namespace retrylab::net
