// SPDX-License-Identifier: MIT
#include "server/runs/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>

namespace retrylab::runs {

void in_parallel(const std::vector<std::function<void()>>& tasks) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) tasks[i]();
  };
  const std::size_t workers =
      std::min<std::size_t>(tasks.size(), std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < workers; ++i) others.emplace_back(work);
  work();
}

}  // namespace retrylab::runs
