// SPDX-License-Identifier: MIT
#include "server/control/changes.h"

#include <gtest/gtest.h>

namespace retrylab::control {
namespace {

Change change(RunId id) {
  return {.why = Change::Why::started, .run = {.id = id}};
}

TEST(Changes, a_reader_gets_what_came_since) {
  Changes changes;
  changes.add(change(1));
  changes.add(change(2));
  const auto piece = changes.read(1, Duration{0});
  ASSERT_EQ(piece.changes.size(), 1U);
  EXPECT_EQ(piece.changes[0].run.id, 2U);
  EXPECT_EQ(piece.next, 2U);
  EXPECT_FALSE(piece.over);
}

TEST(Changes, who_is_too_slow_hears_how_many_are_gone) {
  Changes changes;
  for (RunId id = 1; id <= 1'003; ++id) changes.add(change(id));
  const auto piece = changes.read(1, Duration{0});
  EXPECT_EQ(piece.dropped, 2U);
  EXPECT_EQ(piece.changes.front().run.id, 4U);
  EXPECT_EQ(piece.changes.size(), 1'000U);
}

TEST(Changes, the_end_comes_after_the_last_change) {
  Changes changes;
  changes.add(change(1));
  changes.close();
  EXPECT_FALSE(changes.read(0, Duration{0}).over);
  EXPECT_TRUE(changes.read(1, kForever / 4).over);
}

}  // namespace
}  // namespace retrylab::control
