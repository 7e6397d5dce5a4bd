// SPDX-License-Identifier: MIT
// Work that may be shared out. Grouping and judging are pure and start no thread: who has some
// hands them in, and the verdict is the same with any number.
#pragma once

#include <functional>
#include <vector>

namespace retrylab::journal {

// Each writes to a place of its own.
using Tasks = std::vector<std::function<void()>>;

// Runs every task once, in any order, perhaps several at once, and returns when all are done.
using InParallel = std::function<void(const Tasks&)>;

inline void one_after_the_other(const Tasks& tasks) {
  for (const auto& task : tasks) task();
}

}  // namespace retrylab::journal
