// SPDX-License-Identifier: MIT
// The sliding-window budget: retries as a share of requests, plus a few per second, so that a
// client that sends little may still retry (Finagle, Linkerd, Gateway API GEP-3388; the Google
// SRE book, chapter 21, counts retries among all that is sent).
#pragma once

#include "client_lib/retry/budget_policy.h"
#include "client_lib/retry/sliding_counts.h"

namespace retrylab {

class RetryWindow {
 public:
  explicit RetryWindow(const RetryWindowPolicy& policy) : policy_(policy), counts_(policy.window) {}

  void first_try(Instant now) { counts_.add_first(now); }
  // Counts a retry if it fits.
  bool take_retry(Instant now);

 private:
  bool fits(const SlidingCounts::Counts& counts) const;

  RetryWindowPolicy policy_;
  SlidingCounts counts_;  // first tries, retries
};

}  // namespace retrylab
