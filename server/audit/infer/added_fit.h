// SPDX-License-Identifier: MIT
// Waits that grow by a factor, to each of which up to so much is added, the same to long ones and
// short ones: urllib3's backoff_jitter, got's noise.
#pragma once

#include <optional>
#include <span>

#include "server/audit/infer/band_fit.h"

namespace retrylab::audit {

struct AddedFit {
  double log_likelihood = 0;
  double base = 0;   // before the first retry, in seconds
  double added = 0;  // at most, in seconds
  double factor = 1;
  double last = 0;  // the least wait before the last retry seen
};

// With one of those factors. Nothing when the waits do not grow, or what is added is no more than
// timers add, or more than the base: that is jitter of another kind.
std::optional<AddedFit> fit_added(std::span<const GrowingWait> waits,
                                  std::span<const double> factors);

}  // namespace retrylab::audit
