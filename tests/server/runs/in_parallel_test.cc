// SPDX-License-Identifier: MIT
#include "server/runs/in_parallel.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrylab::runs {
namespace {

TEST(InParallel, every_task_runs_once_and_is_done_at_the_end) {
  for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
    std::vector<int> done(count);
    std::vector<std::function<void()>> tasks;
    for (int& one : done) tasks.emplace_back([&one] { ++one; });
    in_parallel(tasks);
    EXPECT_THAT(done, testing::Each(1));
  }
}

}  // namespace
}  // namespace retrylab::runs
