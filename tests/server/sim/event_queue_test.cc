// SPDX-License-Identifier: MIT
#include "server/sim/event_queue.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrylab::sim {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(event_queue, runs_by_instant_and_then_in_the_order_of_asking) {
  EventQueue queue;
  std::vector<int> ran;
  queue.at(Instant(2s), [&] { ran.push_back(3); });
  queue.at(Instant(1s), [&] {
    ran.push_back(1);
    queue.after(0s, [&] { ran.push_back(2); });
    queue.after(1s, [&] { ran.push_back(4); });
  });
  while (queue.run_next(Instant(1h))) {
  }
  EXPECT_THAT(ran, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(queue.now(), Instant(2s));
}

TEST(event_queue, stops_at_the_limit) {
  EventQueue queue;
  int ran = 0;
  queue.at(Instant(2s), [&] { ++ran; });
  EXPECT_FALSE(queue.run_next(Instant(2s) - 1ns));
  EXPECT_EQ(queue.now(), Instant());
  EXPECT_TRUE(queue.run_next(Instant(2s)));
  EXPECT_EQ(ran, 1);
}

TEST(event_queue, takes_the_past_for_now_and_never_runs_never) {
  EventQueue queue;
  std::vector<Instant> ran;
  queue.at(Instant(1s), [&] { queue.at(Instant(0s), [&] { ran.push_back(queue.now()); }); });
  queue.at(kNever, [&] { ran.push_back(queue.now()); });
  while (queue.run_next(kNever)) {
  }
  EXPECT_THAT(ran, ElementsAre(Instant(1s)));
}

}  // namespace
}  // namespace retrylab::sim
