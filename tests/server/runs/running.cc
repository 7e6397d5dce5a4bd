// SPDX-License-Identifier: MIT
#include "tests/server/runs/running.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "server/scenario/load.h"

namespace retrylab::runs {

scenario::Scenario parse(const std::string& text) {
  auto loaded = scenario::load(text, [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "no files here");
  });
  if (loaded) return std::move(*loaded);
  for (const auto& mistake : loaded.error()) ADD_FAILURE() << mistake.message;
  return {};
}

Running::Running(const std::string& text, RunOptions options) : scenario(parse(text)) {
  auto started = LiveRun::start(scenario, loop, std::move(options));
  EXPECT_TRUE(started);
  run = std::move(*started);
}

void Running::wait_for_end_of_connections() {
  for (int looks = 0; looks < 5'000; ++looks) {
    const journal::Run so_far = run->snapshot();
    const bool open = std::ranges::any_of(so_far.connections,
                                          [](const auto& one) { return !one.closed.has_value(); });
    if (!open) return;
    std::this_thread::yield();
  }
}

}  // namespace retrylab::runs
