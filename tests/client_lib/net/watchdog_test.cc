// SPDX-License-Identifier: MIT
#include "client_lib/net/watchdog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>

namespace retrylab {
namespace {

using namespace std::chrono_literals;

TEST(Watchdog, barks_not_before_its_time) {
  Watchdog watchdog;
  std::latch barked(1);
  std::atomic<bool> once = false;
  std::chrono::steady_clock::time_point when;
  const auto armed = std::chrono::steady_clock::now();
  const auto token = watchdog.arm(3ms, [&] {
    if (once.exchange(true)) return;
    when = std::chrono::steady_clock::now();
    barked.count_down();
  });
  barked.wait();
  watchdog.disarm(token);
  EXPECT_GE(when - armed, 3ms);
}

TEST(Watchdog, barks_again_until_disarmed) {
  Watchdog watchdog;
  std::atomic<int> barks = 0;
  std::latch thrice(3);
  const auto token = watchdog.arm(0ms, [&] {
    if (++barks <= 3) thrice.count_down();
  });
  thrice.wait();
  watchdog.disarm(token);
  const int then = barks;
  std::latch other(1);
  const auto later = watchdog.arm(30ms, [&, counted = false]() mutable {
    if (!std::exchange(counted, true)) other.count_down();
  });
  other.wait();
  watchdog.disarm(later);
  EXPECT_EQ(barks, then);
}

TEST(Watchdog, an_earlier_deadline_overtakes_a_later_one) {
  Watchdog watchdog;
  const auto never = watchdog.arm(kForever, [] { FAIL(); });
  std::latch barked(1);
  std::atomic<bool> once = false;
  const auto soon = watchdog.arm(1ms, [&] {
    if (!once.exchange(true)) barked.count_down();
  });
  barked.wait();
  watchdog.disarm(soon);
  watchdog.disarm(never);
}

TEST(Watchdog, disarming_what_is_gone_is_nothing) {
  Watchdog watchdog;
  const auto token = watchdog.arm(1h, [] { FAIL(); });
  watchdog.disarm(token);
  watchdog.disarm(token);
}

}  // namespace
}  // namespace retrylab
