// SPDX-License-Identifier: MIT
#include "server/audit/infer/decorrelated_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace retrylab::audit {
namespace {

constexpr double kNoise = 0.004;
constexpr double kOutlier = 7;
constexpr double kOutlierShare = 0.08;
constexpr double kSpreadMin = 1.5;

// Waits that end at the same place, at the longest of all: a cap.
std::optional<double> find_cap(std::span<const WaitOfChain> waits, double longest) {
  const auto near = std::ranges::count_if(
      waits, [longest](const WaitOfChain& wait) { return wait.seconds > longest - 2 * kNoise; });
  if (near < 3) return std::nullopt;
  return longest - kNoise / 2;
}

double top_of(const WaitOfChain& wait, double base) {
  return 3 * std::max(wait.previous.value_or(base), base);
}

std::optional<double> log_density(const WaitOfChain& wait, double base, std::optional<double> cap) {
  const double top = top_of(wait, base);
  if (wait.seconds > top + 2 * kNoise) return std::nullopt;
  if (cap && wait.seconds > *cap - 2 * kNoise && top > *cap) {
    const double piled = (top - *cap) / (top - base);
    return std::log(piled / (2 * kNoise) + 1 / (top - base));
  }
  return -std::log(top - base + kNoise);
}

}  // namespace

std::optional<DecorrelatedFit> fit_decorrelated(std::span<const WaitOfChain> waits) {
  const auto [low, high] = std::ranges::minmax_element(waits, {}, &WaitOfChain::seconds);
  // Waits that are all alike are not spread over three times their base.
  if (low->seconds <= 0 || high->seconds < kSpreadMin * low->seconds) return std::nullopt;
  // The least of so many even draws lies a little above where they begin.
  const double base = low->seconds * (1 - 1 / static_cast<double>(waits.size() + 1));
  DecorrelatedFit fit{
      .base = base, .cap = find_cap(waits, high->seconds), .longest = high->seconds};
  std::size_t outliers = 0;
  for (const WaitOfChain& wait : waits) {
    if (wait.retry > 1 && !wait.previous) continue;
    const auto density = log_density(wait, base, fit.cap);
    if (!density) ++outliers;
    fit.log_likelihood += density.value_or(-kOutlier);
  }
  if (static_cast<double>(outliers) > kOutlierShare * static_cast<double>(waits.size())) {
    return std::nullopt;
  }
  fit.log_likelihood -= 0.5 * std::log(static_cast<double>(waits.size()) + 1) + 1;
  return fit;
}

}  // namespace retrylab::audit
