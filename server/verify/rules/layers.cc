// SPDX-License-Identifier: MIT
#include "server/verify/rules/layers.h"

#include <algorithm>

namespace retrylab::verify {
namespace {

constexpr std::size_t kAttemptsMin = 6;

// The gaps between bursts are at least twice as long as any within one.
bool is_bursts_of(std::size_t size, std::span<const Gap> gaps) {
  Duration longest_inner{0};
  Duration shortest_outer = kForever;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (!gaps[i].wait_at_most) return false;
    const bool is_outer = (i + 1) % size == 0;
    if (is_outer) {
      shortest_outer = std::min(shortest_outer, *gaps[i].wait_at_most);
    } else {
      longest_inner = std::max(longest_inner, *gaps[i].wait_at_most);
    }
  }
  return shortest_outer > 2 * longest_inner;
}

}  // namespace

std::optional<Layers> find_layers(const Chain& chain) {
  const std::size_t count = chain.attempts.size();
  if (count < kAttemptsMin) return std::nullopt;
  for (std::size_t size = 2; size <= count / 2; ++size) {
    if (count % size == 0 && is_bursts_of(size, chain.gaps)) return Layers{count / size, size};
  }
  return std::nullopt;
}

}  // namespace retrylab::verify
