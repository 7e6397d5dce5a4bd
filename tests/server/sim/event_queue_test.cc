// SPDX-License-Identifier: MIT
#include "server/sim/event_queue.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client_lib/base/random.h"

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

TEST(event_queue, lets_go_of_what_never_ran) {
  const auto held = std::make_shared<int>(1);
  {
    EventQueue queue;
    queue.at(Instant(1s), [held] {});
    queue.at(Instant(3s), [held] {});
    EXPECT_EQ(held.use_count(), 3);
    EXPECT_TRUE(queue.run_next(Instant(2s)));
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

// Against a map by (instant, sequence).
struct Watched {
  EventQueue queue;
  Random random{7};
  std::map<std::pair<Instant, int>, int> expected;
  int asked = 0;
  int ran = 0;

  // Near or far, at a time that others have, or now.
  void ask() {
    const std::uint64_t far = random.below(1ULL << random.below(40));
    const Instant when = random.chance({1, 4})
                             ? queue.now()
                             : queue.now() + Duration(static_cast<std::int64_t>(far));
    expected[{when, asked}] = asked;
    queue.at(when, [this, number = asked] { run(number); });
    ++asked;
  }
  void run(int number) {
    ++ran;
    EXPECT_EQ(expected.begin()->second, number);
    EXPECT_EQ(expected.begin()->first.first, queue.now());
    expected.erase(expected.begin());
    if (asked < 3000) ask();
    if (asked < 3000 && random.chance({1, 2})) ask();
  }
};

TEST(event_queue, keeps_the_order_of_any_events) {
  Watched watched;
  for (int i = 0; i < 100; ++i) watched.ask();
  for (Instant limit; !watched.expected.empty(); limit += 1s) {
    while (watched.queue.run_next(limit)) {
    }
  }
  EXPECT_EQ(watched.ran, watched.asked);
}

}  // namespace
}  // namespace retrylab::sim
