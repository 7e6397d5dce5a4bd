// SPDX-License-Identifier: MIT
// Over real sockets.
#include "server/control/live_runs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "server/control/order.h"

namespace retrylab::control {
namespace {

class LiveRunsTest : public testing::Test {
 protected:
  Expected<RunInfo> start(std::optional<Duration> ttl = std::nullopt) {
    auto order = read_new_run(
        R"({"scenario": {"name": "x", "routes": [{"on": "GET /", "script": [200]}]}})");
    order->ttl = ttl;
    return runs_.start(std::move(*order));
  }

  runs::LoopPool loops_{2};
  LiveRuns runs_{loops_,
                 {.runs_max = 3,
                  .choose_seed = [](auto) { return std::uint64_t{5}; },
                  .command = [](const auto& name, auto) { return name; }}};
};

TEST_F(LiveRunsTest, ids_are_never_used_again) {
  const RunId first = start()->id;
  EXPECT_TRUE(runs_.end(first));
  EXPECT_NE(start()->id, first);
}

TEST_F(LiveRunsTest, there_are_no_more_than_allowed) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(start());
  EXPECT_EQ(start().error().type, Problem::Type::limit_reached);
  EXPECT_TRUE(runs_.end(runs_.list().front().id));
  EXPECT_TRUE(start());
}

TEST_F(LiveRunsTest, a_run_ends_once) {
  const RunId id = start()->id;
  EXPECT_TRUE(runs_.end(id));
  EXPECT_EQ(runs_.end(id).error().type, Problem::Type::unknown_run);
  EXPECT_FALSE(runs_.stop(id));
}

TEST_F(LiveRunsTest, a_ttl_ends_a_run_and_says_so) {
  const RunId id = start(std::chrono::milliseconds(1))->id;
  std::uint64_t from = 0;
  for (bool ended = false; !ended;) {
    const auto piece = runs_.changes().read(from, std::chrono::minutes(1));
    ASSERT_FALSE(piece.changes.empty());
    from = piece.next;
    for (const Change& change : piece.changes) {
      ended = ended || (change.run.id == id && change.why == Change::Why::ttl);
    }
  }
  EXPECT_EQ(runs_.info(id).error().type, Problem::Type::unknown_run);
}

TEST_F(LiveRunsTest, the_longest_ttl_there_is_does_not_end_it_at_once) {
  const RunId id = start(kForever)->id;
  ASSERT_TRUE(start(std::chrono::hours(1)));
  EXPECT_TRUE(runs_.info(id));
}

TEST_F(LiveRunsTest, a_journal_that_is_read_once_goes_on_and_starts_anew_with_a_reset) {
  const RunId id = start()->id;
  const auto log = *runs_.journal(id);
  EXPECT_EQ(log, *runs_.journal(id));
  EXPECT_NE(log->read(0, 0, SIZE_MAX, Duration{0}).lines.find("\"record\":\"run\""),
            std::string::npos);
  ASSERT_TRUE(runs_.reset(id, 9));
  EXPECT_EQ(log->generation(), 1U);
  EXPECT_NE(log->read(0, 1, SIZE_MAX, Duration{0}).lines.find("\"seed\":9"), std::string::npos);
  EXPECT_EQ(runs_.info(id)->seed, 9U);
  ASSERT_TRUE(runs_.end(id));
  EXPECT_TRUE(log->read(99, 1, SIZE_MAX, std::chrono::minutes(1)).over);
}

}  // namespace
}  // namespace retrylab::control
