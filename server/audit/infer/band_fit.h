// SPDX-License-Identifier: MIT
// How waits grow and spread, without knowing anything of the policy: the waits before retry i lie
// evenly in a band [M(1-s), M(1+s)] * f^(i-1), up to a cap. No jitter is s = 0, full jitter s = 1,
// equal jitter s = 1/3, "20 % either way" s = 0.2.
// Instead of by a factor, waits may grow as i or as i squared.
//
// The most likely (f, cap, M, s); one more parameter has to earn its keep (BIC). A few waits may be
// longer than the band by what a busy host adds.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace retrylab::audit {

struct GrowingWait {
  std::size_t retry = 1;  // from 1
  double seconds = 0;
};

struct BandLimits {
  double least = 0;  // of s
  double most = 1;
};

struct BandFit {
  double log_likelihood = 0;
  double middle = 0;  // M, in seconds
  double spread = 0;  // s
  double factor = 1;
  unsigned power = 0;         // 1: as i, 2: as i squared; 0: by the factor
  std::optional<double> cap;  // the capped band's middle, in seconds; nothing: not reached
  double last = 0;            // the middle before the last retry seen
};

// Factors that people write.
std::span<const double> usual_factors();

// With any factor from 1 to 4 and any spread. `waits` is not empty.
std::optional<BandFit> fit_band(std::span<const GrowingWait> waits);

// With one of those factors, or as i or its square, and a spread within the limits. Nothing when no
// such band holds the waits. Any but a usual factor has to be clearly more likely.
std::optional<BandFit> fit_band(std::span<const GrowingWait> waits, BandLimits limits,
                                std::span<const double> factors);

}  // namespace retrylab::audit
