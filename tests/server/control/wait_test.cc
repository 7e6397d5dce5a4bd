// SPDX-License-Identifier: MIT
#include "server/control/wait.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/server/control/fake_runs.h"

namespace retrylab::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class WaitTest : public testing::Test {
 protected:
  Expected<Waited> wait_for(const char* conditions, Duration limit = seconds(1)) {
    return wait(*parse_conditions(conditions), limit, id_, context_);
  }

  FakeRuns runs_;
  FakeClock clock_;
  Followers followers_{1};
  Context context_{runs_, clock_, followers_};
  RunId id_ = runs_.add();
  Progress& progress_ = runs_.progress_of[id_];
};

TEST_F(WaitTest, what_is_met_already_costs_no_time) {
  progress_ = {.attempts_over = 2, .script_used_up = true, .quiet = milliseconds(50)};
  for (const char* one : {"attempts:2", "script_used_up", "quiet:50ms", "attempts:0",
                          "attempts:1,script_used_up,quiet:0s"}) {
    const auto waited = wait_for(one);
    EXPECT_TRUE(waited->met) << one;
    EXPECT_EQ(waited->time, Duration{0}) << one;
  }
}

TEST_F(WaitTest, all_conditions_have_to_be_met) {
  progress_ = {.attempts_over = 2, .script_used_up = false};
  EXPECT_FALSE(wait_for("attempts:2,script_used_up")->met);
  EXPECT_FALSE(wait_for("attempts:3")->met);
  EXPECT_FALSE(wait_for("quiet:1ms")->met);  // an attempt is under way
}

TEST_F(WaitTest, it_is_over_as_soon_as_they_are_met) {
  clock_.meanwhile = [&] {
    if (clock_.now() >= Instant(milliseconds(100))) progress_.attempts_over = 1;
  };
  const auto waited = wait_for("attempts:1");
  EXPECT_TRUE(waited->met);
  EXPECT_GE(waited->time, milliseconds(100));
  EXPECT_LT(waited->time, milliseconds(150));
}

TEST_F(WaitTest, it_is_never_longer_than_its_limit) {
  const auto waited = wait_for("attempts:1", milliseconds(12));
  EXPECT_FALSE(waited->met);
  EXPECT_EQ(waited->time, milliseconds(12));
}

TEST_F(WaitTest, it_ends_with_the_run_and_with_the_process) {
  clock_.meanwhile = [&] { runs_.progress_of.erase(id_); };
  EXPECT_EQ(wait_for("attempts:1").error().type, Problem::Type::unknown_run);
  clock_.meanwhile = nullptr;
  id_ = runs_.add();
  clock_.stopped = true;
  EXPECT_EQ(wait_for("attempts:1").error().type, Problem::Type::stopping);
}

TEST(Conditions, what_is_none_is_named) {
  for (const char* text : {"", ",", "attempts", "attempts:", "attempts:-1", "attempts:x", "quiet",
                           "quiet:5", "script_used_up:1", "forever", "attempts:1,"}) {
    EXPECT_FALSE(parse_conditions(text)) << text;
  }
}

}  // namespace
}  // namespace retrylab::control
