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

void Running::wait_for_end_of_connections(std::size_t count) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < limit) {
    const journal::Run so_far = run->snapshot();
    const auto closed = std::ranges::count_if(
        so_far.connections, [](const auto& one) { return one.closed.has_value(); });
    const auto seen = static_cast<std::ptrdiff_t>(so_far.connections.size());
    if (closed == seen && seen >= static_cast<std::ptrdiff_t>(count)) return;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  ADD_FAILURE() << "still waiting for the end of " << count << " connections";
}

}  // namespace retrylab::runs
