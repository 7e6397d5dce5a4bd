// SPDX-License-Identifier: MIT
#include "client_lib/net/system_clock.h"

#include <gtest/gtest.h>

#include <thread>

namespace retrylab {
namespace {

using namespace std::chrono_literals;

TEST(SystemClock, never_wakes_early) {
  SystemClock clock;
  for (int i = 0; i < 20; ++i) {
    const Instant until = clock.now().at + 500us;
    EXPECT_TRUE(clock.sleep_until(until, {}));
    EXPECT_GE(clock.now().at, until);
  }
}

TEST(SystemClock, an_instant_that_is_past_is_no_sleep) {
  SystemClock clock;
  EXPECT_TRUE(clock.sleep_until(Instant(), {}));
}

// Without an interrupted sleep this would not end within anybody's life.
TEST(SystemClock, another_thread_interrupts_a_sleep) {
  SystemClock clock;
  std::stop_source source;
  std::thread other([&source] { source.request_stop(); });
  EXPECT_FALSE(clock.sleep_until(kNever, source.get_token()));
  other.join();
}

TEST(SystemClock, a_stop_that_came_before_is_seen) {
  SystemClock clock;
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(clock.sleep_until(kNever, source.get_token()));
}

}  // namespace
}  // namespace retrylab
