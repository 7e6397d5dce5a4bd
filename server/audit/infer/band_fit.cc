// SPDX-License-Identifier: MIT
#include "server/audit/infer/band_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace retrylab::audit {
namespace {

// What timers, connecting and a busy host add to a wait.
constexpr double kNoise = 0.004;
// The price of a wait that is longer than its band, in natural logarithms.
constexpr double kOutlier = 7;
constexpr double kOutlierShare = 0.08;
// A cap that one retry alone shows: below this share of what would come without it.
constexpr double kCapShare = 0.92;
// Measured caps are a little off.
constexpr double kCapLeast = 0.97;
constexpr double kFactorMax = 4;

// One way of growing: the multiplier of each retry.
struct Growth {
  double factor = 1;
  unsigned power = 0;           // instead of the factor, as in BandFit
  std::size_t capped_from = 0;  // retries from this one on are capped; 0: none
  double cap = 1;               // their multiplier

  double operator()(std::size_t retry) const {
    if (capped_from > 0 && retry >= capped_from) return cap;
    if (power > 0) return std::pow(static_cast<double>(retry), power);
    return std::pow(factor, static_cast<double>(retry - 1));
  }
};

std::size_t last_retry(std::span<const GrowingWait> waits) {
  return std::ranges::max_element(waits, {}, &GrowingWait::retry)->retry;
}

struct Scaled {
  double value = 0;
  double multiplier = 1;
};

// The narrowest band with a spread within the limits that holds [low, high].
std::optional<std::pair<double, double>> narrowest(double low, double high, BandLimits limits) {
  const double spread = high > 0 ? (high - low) / (high + low) : 0;
  if (spread > limits.most) return std::nullopt;
  if (spread >= limits.least) return std::pair{low, high};
  return std::pair{high * (1 - limits.least) / (1 + limits.least), high};
}

double log_density(std::span<const Scaled> waits, double width) {
  double sum = 0;
  for (const Scaled& wait : waits) sum -= std::log(wait.multiplier * width + kNoise);
  return sum;
}

// The ends of an even spread lie a little beyond what was drawn of it.
void widen(double& low, double& high, std::size_t count, BandLimits limits) {
  if (count < 3 || limits.most < 0.05) return;
  const double beyond = (high - low) / static_cast<double>(count - 1);
  low = std::max(0.0, low - beyond);
  high += beyond;
}

std::optional<BandFit> fit_growth(std::span<const GrowingWait> waits, const Growth& growth,
                                  BandLimits limits) {
  std::vector<Scaled> scaled;
  scaled.reserve(waits.size());
  for (const GrowingWait& wait : waits) {
    const double multiplier = growth(wait.retry);
    scaled.push_back({wait.seconds / multiplier, multiplier});
  }
  std::ranges::sort(scaled, {}, &Scaled::value);
  const auto outliers_max =
      static_cast<std::size_t>(kOutlierShare * static_cast<double>(scaled.size()));
  std::optional<BandFit> best;
  for (std::size_t dropped = 0; dropped <= outliers_max; ++dropped) {
    const std::span<const Scaled> kept(scaled.data(), scaled.size() - dropped);
    const auto band = narrowest(kept.front().value, kept.back().value, limits);
    if (!band) continue;
    const double likelihood =
        log_density(kept, band->second - band->first) - kOutlier * static_cast<double>(dropped);
    if (best && best->log_likelihood >= likelihood) continue;
    auto [low, high] = *band;
    widen(low, high, kept.size(), limits);
    best = BandFit{.log_likelihood = likelihood,
                   .middle = (low + high) / 2,
                   .spread = high > 0 ? (high - low) / (high + low) : 0,
                   .factor = growth.factor,
                   .power = growth.power};
  }
  if (!best) return best;
  if (growth.capped_from > 0) best->cap = best->middle * growth.cap;
  best->last = best->middle * growth(last_retry(waits));
  return best;
}

struct Range {
  double low = 0;
  double high = 0;
};

Range range_of(std::span<const GrowingWait> waits, std::size_t from, std::size_t until,
               double factor) {
  Range range{1e300, 0};
  for (const GrowingWait& wait : waits) {
    if (wait.retry < from || wait.retry >= until) continue;
    const double value = factor > 0
                             ? wait.seconds / std::pow(factor, static_cast<double>(wait.retry - 1))
                             : wait.seconds;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range;
}

// Where the likelihood of a cap's multiplier has its corners.
std::vector<double> caps(std::span<const GrowingWait> waits, double factor, std::size_t from) {
  const Range free = range_of(waits, 1, from, factor);
  const Range capped = range_of(waits, from, static_cast<std::size_t>(-1), 0);
  if (free.high <= 0 || capped.high <= 0) return {};
  const double least = kCapLeast * std::pow(factor, static_cast<double>(from - 2));
  const double share = from == last_retry(waits) ? kCapShare : 1;
  const double most = share * std::pow(factor, static_cast<double>(from - 1));
  std::vector<double> found;
  for (const double cap : {capped.high / free.high, capped.low / std::max(free.low, 1e-6),
                           (capped.high + capped.low) / (free.high + free.low)}) {
    if (cap >= least && cap <= most) found.push_back(cap);
  }
  return found;
}

constexpr std::array kUsualFactors{2.0, 1.0, 1.5, 3.0, 4.0, 1.25, 1.6, 2.5};
constexpr double kFactorStep = 0.04;
// What an unusual factor has to be more likely by.
constexpr double kUnusual = 3;

bool is_usual(double factor) {
  return std::ranges::find(kUsualFactors, factor) != kUsualFactors.end();
}

class Best {
 public:
  void offer(std::optional<BandFit> fit, double price) {
    if (!fit) return;
    fit->log_likelihood -= price;
    if (!best_ || fit->log_likelihood > best_->log_likelihood) best_ = fit;
  }
  std::optional<BandFit> take() const { return best_; }

 private:
  std::optional<BandFit> best_;
};

void offer_caps(std::span<const GrowingWait> waits, BandLimits limits, double factor, double price,
                Best& best) {
  const std::size_t last = last_retry(waits);
  for (std::size_t from = 3; from <= last; ++from) {
    for (const double cap : caps(waits, factor, from)) {
      const Growth growth{.factor = factor, .capped_from = from, .cap = cap};
      best.offer(fit_growth(waits, growth, limits), price);
    }
  }
}

}  // namespace

std::span<const double> usual_factors() {
  return kUsualFactors;
}

std::optional<BandFit> fit_band(std::span<const GrowingWait> waits) {
  std::vector<double> factors(kUsualFactors.begin(), kUsualFactors.end());
  for (double factor = 1 + kFactorStep; factor < kFactorMax; factor += kFactorStep) {
    factors.push_back(factor);
  }
  return fit_band(waits, {}, factors);
}

std::optional<BandFit> fit_band(std::span<const GrowingWait> waits, BandLimits limits,
                                std::span<const double> factors) {
  // The ends of an even spread follow chance more loosely than a mean does: twice BIC's price.
  const double parameter = std::log(static_cast<double>(waits.size()) + 1) + 2;
  Best best;
  if (last_retry(waits) == 1) return fit_growth(waits, {}, limits);
  for (const double factor : factors) {
    const double price = (factor > 1 ? parameter : 0) + (is_usual(factor) ? 0 : kUnusual);
    best.offer(fit_growth(waits, {.factor = factor}, limits), price);
    if (factor > 1) offer_caps(waits, limits, factor, price + parameter, best);
  }
  for (const unsigned power : {1U, 2U}) {
    best.offer(fit_growth(waits, {.power = power}, limits), parameter + kUnusual);
  }
  return best.take();
}

}  // namespace retrylab::audit
