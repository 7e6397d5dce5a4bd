// SPDX-License-Identifier: MIT
// The token bucket budget: the AWS SDKs' retry quota, gRPC's retry throttling (A6), and buckets
// filled by first tries.
#pragma once

#include "client_lib/retry/budget_policy.h"

namespace retrylab {

// What kind of failure a retry follows.
enum class RetryCause { failure, timeout, throttled };

class TokenBucket {
 public:
  explicit TokenBucket(const TokenBucketPolicy& policy)
      : policy_(policy), tokens_(policy.capacity) {}

  void first_try() { give(policy_.first_try_gain); }
  void attempt_failed();
  // Takes the cost of one retry and says what it was, or takes nothing and says -1.
  std::int64_t take_retry(RetryCause cause);
  // `last_cost` is what the operation's last retry took, zero when it made none.
  void succeeded(std::int64_t last_cost);

  // In thousandths.
  std::int64_t tokens() const { return tokens_; }

 private:
  void give(std::int64_t tokens);
  std::int64_t cost(RetryCause cause) const;

  TokenBucketPolicy policy_;
  std::int64_t tokens_;
};

}  // namespace retrylab
