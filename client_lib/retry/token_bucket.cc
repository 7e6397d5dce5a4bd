// SPDX-License-Identifier: MIT
#include "client_lib/retry/token_bucket.h"

#include <algorithm>

namespace retrylab {

void TokenBucket::give(std::int64_t tokens) {
  tokens_ += std::min(tokens, policy_.capacity - tokens_);
}

void TokenBucket::attempt_failed() {
  tokens_ = std::max<std::int64_t>(0, tokens_ - policy_.failure_cost);
}

std::int64_t TokenBucket::cost(RetryCause cause) const {
  switch (cause) {
    case RetryCause::failure:
      return policy_.retry_cost;
    case RetryCause::timeout:
      return policy_.timeout_cost;
    case RetryCause::throttled:
      return policy_.throttle_cost;
  }
  return policy_.retry_cost;
}

std::int64_t TokenBucket::take_retry(RetryCause cause) {
  const std::int64_t price = cost(cause);
  if (tokens_ <= policy_.floor || tokens_ < price) return -1;
  tokens_ -= price;
  return price;
}

void TokenBucket::succeeded(std::int64_t last_cost) {
  give(policy_.refund_on_success && last_cost > 0 ? last_cost : policy_.success_gain);
}

}  // namespace retrylab
