// SPDX-License-Identifier: MIT
// Randomness of the operating system, for what has to differ between processes.
#pragma once

#include <array>
#include <cstdint>

namespace retrylab {

// 16 bytes from getrandom(2).
std::array<std::uint8_t, 16> random_bytes();

// A seed for jitter: getrandom(2), mixed with the process id, so that clients forked from one
// image do not wait in step (RULES BO-9).
std::uint64_t random_seed();

}  // namespace retrylab
