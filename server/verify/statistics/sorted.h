// SPDX-License-Identifier: MIT
// Numbers in order, in a time that grows as their number does: a statistic of a million waits
// sorts each of them several times over.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace retrylab::verify::statistics {

// None is NaN.
void sort_numbers(std::vector<double>& numbers);

struct Placed {
  double value = 0;
  std::uint32_t place = 0;  // where it stood
};

// Equal ones in the order in which they stood. Fewer than 2^32 of them, none NaN.
std::vector<Placed> in_order(std::span<const double> numbers);

}  // namespace retrylab::verify::statistics
