// SPDX-License-Identifier: MIT
// The concurrency budget: how many operations may be retrying at one instant, as a share of
// those in flight (Envoy's retry_budget: 20 %, at least 3).
#pragma once

#include <algorithm>
#include <cstdint>

#include "client_lib/retry/budget_policy.h"

namespace retrylab {

class RetryConcurrency {
 public:
  explicit RetryConcurrency(const RetryConcurrencyPolicy& policy) : policy_(policy) {}

  void begin() { ++in_flight_; }
  // `was_retrying`: the operation holds a retry already, whose attempt has just failed.
  bool take_retry(bool was_retrying) {
    if (was_retrying) --retrying_;
    if (retrying_ >= limit()) return false;
    ++retrying_;
    return true;
  }
  void end(bool was_retrying) {
    if (was_retrying) --retrying_;
    --in_flight_;
  }

  std::uint64_t retrying() const { return retrying_; }
  std::uint64_t limit() const {
    const std::uint64_t share = in_flight_ * policy_.ratio.part / policy_.ratio.whole;
    return std::max<std::uint64_t>(policy_.minimum, share);
  }

 private:
  RetryConcurrencyPolicy policy_;
  std::uint64_t in_flight_ = 0;
  std::uint64_t retrying_ = 0;
};

}  // namespace retrylab
