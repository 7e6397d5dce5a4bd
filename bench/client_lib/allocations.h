// SPDX-License-Identifier: MIT
// Counts the allocations of the program, so that a benchmark can say how many a call makes.
#pragma once

#include <cstdint>

namespace retrylab::bench {

// Since the start of the program, by this thread.
std::uint64_t allocations();

}  // namespace retrylab::bench
