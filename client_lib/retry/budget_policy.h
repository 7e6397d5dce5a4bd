// SPDX-License-Identifier: MIT
// Retry budgets as values: how many retries a client may make, all its operations together.
// budget.h has the running state.
#pragma once

#include <cstdint>
#include <variant>

#include "client_lib/base/ratio.h"
#include "client_lib/base/time.h"

namespace retrylab {

// A bucket of tokens, in thousandths of a token. Covers the AWS SDKs' retry quota, gRPC's retry
// throttling (A6) and a bucket filled by first tries.
struct TokenBucketPolicy {
  std::int64_t capacity = 500'000;     // also where it starts
  std::int64_t retry_cost = 5'000;     // a retry after a plain failure
  std::int64_t timeout_cost = 10'000;  // ... after a timeout
  std::int64_t throttle_cost = 5'000;  // ... after a 429
  std::int64_t failure_cost = 0;       // every failed attempt, down to zero (gRPC: 1000)
  std::int64_t first_try_gain = 0;     // every first attempt
  std::int64_t success_gain = 1'000;   // every success
  bool refund_on_success = true;       // a success after a retry gives its cost back instead
  std::int64_t floor = 0;              // a retry needs more than this in the bucket
};

// Retries in a sliding window: at most ratio * requests + per_second * window.
struct RetryWindowPolicy {
  enum class Of {
    first_tries,   // Finagle, Linkerd: 0.2 lets 20 retries follow 100 operations
    all_attempts,  // Google SRE: below 10 % of everything sent
  };
  Ratio ratio{1, 5};
  Of of = Of::first_tries;
  std::uint32_t per_second = 10;
  Duration window{std::chrono::seconds(10)};
};

// Retries in flight (waiting or sent): at most max(minimum, ratio * operations in flight).
struct RetryConcurrencyPolicy {
  Ratio ratio{1, 5};
  std::uint32_t minimum = 3;
};

using BudgetPolicy = std::variant<TokenBucketPolicy, RetryWindowPolicy, RetryConcurrencyPolicy>;

}  // namespace retrylab
