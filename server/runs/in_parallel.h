// SPDX-License-Identifier: MIT
// Threads for work that does not care who does it: the pure folders take a function that shares
// tasks out (journal::InParallel), and this is one that does.
#pragma once

#include <functional>
#include <vector>

namespace retrylab::runs {

// Runs every task once, on as many threads as the host has processors, this one among them, and
// returns when all are done. The tasks must not touch one another's data, nor throw.
void in_parallel(const std::vector<std::function<void()>>& tasks);

}  // namespace retrylab::runs
