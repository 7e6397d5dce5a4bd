// SPDX-License-Identifier: MIT
// Layered retries: two loops around each other make bursts of attempts, and their numbers
// multiply.
#pragma once

#include <cstddef>
#include <optional>

#include "server/verify/evidence.h"

namespace retrylab::verify {

struct Layers {
  std::size_t bursts = 0;    // of the outer loop
  std::size_t attempts = 0;  // in each, of the inner loop
};

// At least two bursts of the same size, at least two attempts each, with every gap between bursts
// clearly longer than every gap at the same place would be within one: the waits start over.
std::optional<Layers> find_layers(const Chain& chain);

}  // namespace retrylab::verify
