// SPDX-License-Identifier: MIT
// Decorrelated jitter: each wait lies evenly between the base and three times the wait before it,
// cut at a cap where all that is beyond piles up.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace retrylab::audit {

struct WaitOfChain {
  std::size_t retry = 1;
  double seconds = 0;
  std::optional<double> previous;  // the wait before it, of the same operation
};

struct DecorrelatedFit {
  double log_likelihood = 0;
  double base = 0;  // in seconds
  std::optional<double> cap;
  double longest = 0;
};

// Nothing when the waits are not of that kind. `waits` is not empty.
std::optional<DecorrelatedFit> fit_decorrelated(std::span<const WaitOfChain> waits);

}  // namespace retrylab::audit
