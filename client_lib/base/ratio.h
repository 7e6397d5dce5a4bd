// SPDX-License-Identifier: MIT
// A ratio of integers: probabilities and budgets without floating point.
#pragma once

#include <cstdint>

namespace retrylab {

// part / whole; whole is above 0.
struct Ratio {
  std::uint64_t part = 0;
  std::uint64_t whole = 1;

  // Compares the written form, not the value: 1/2 and 2/4 differ.
  friend bool operator==(const Ratio&, const Ratio&) = default;
};

}  // namespace retrylab
