// SPDX-License-Identifier: MIT
#include "server/audit/infer/added_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace retrylab::audit {
namespace {

// As in band_fit.cc: what a host adds to a wait, and the price of a wait that it made much longer.
constexpr double kNoise = 0.004;
constexpr double kOutlier = 7;
constexpr double kOutlierShare = 0.08;
constexpr double kLeastAdded = 0.02;

std::optional<AddedFit> fit_factor(std::span<const GrowingWait> waits, double factor) {
  const auto multiplier = [factor](const GrowingWait& wait) {
    return std::pow(factor, static_cast<double>(wait.retry - 1));
  };
  AddedFit fit{.base = 1e300, .factor = factor};
  double most = 0;
  for (const GrowingWait& wait : waits) {
    fit.base = std::min(fit.base, wait.seconds / multiplier(wait));
    most = std::max(most, multiplier(wait));
  }
  std::vector<double> added;
  for (const GrowingWait& wait : waits) {
    added.push_back(wait.seconds - fit.base * multiplier(wait));
  }
  std::ranges::sort(added);
  const auto dropped_max =
      static_cast<std::size_t>(kOutlierShare * static_cast<double>(added.size()));
  std::optional<AddedFit> best;
  for (std::size_t dropped = 0; dropped <= dropped_max; ++dropped) {
    const std::size_t kept = added.size() - dropped;
    fit.added = added[kept - 1];
    if (fit.added < kLeastAdded || fit.added > fit.base) continue;
    fit.log_likelihood = -static_cast<double>(kept) * std::log(fit.added + kNoise) -
                         kOutlier * static_cast<double>(dropped);
    fit.last = fit.base * most;
    if (!best || fit.log_likelihood > best->log_likelihood) best = fit;
  }
  return best;
}

}  // namespace

std::optional<AddedFit> fit_added(std::span<const GrowingWait> waits,
                                  std::span<const double> factors) {
  const auto last = std::ranges::max_element(waits, {}, &GrowingWait::retry)->retry;
  if (last < 2) return std::nullopt;
  // The factor and what is added: each has to earn its keep, as the parameters of a band do.
  const double price = 2 * (std::log(static_cast<double>(waits.size()) + 1) + 2);
  std::optional<AddedFit> best;
  for (const double factor : factors) {
    auto fit = factor > 1 ? fit_factor(waits, factor) : std::nullopt;
    if (!fit) continue;
    fit->log_likelihood -= price;
    if (!best || fit->log_likelihood > best->log_likelihood) best = fit;
  }
  return best;
}

}  // namespace retrylab::audit
