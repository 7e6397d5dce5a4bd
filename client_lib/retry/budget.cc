// SPDX-License-Identifier: MIT
#include "client_lib/retry/budget.h"

namespace retrylab {
namespace {

using Kind = std::variant<TokenBucket, RetryWindow, RetryConcurrency>;

struct Make {
  Kind operator()(const TokenBucketPolicy& policy) const { return TokenBucket(policy); }
  Kind operator()(const RetryWindowPolicy& policy) const { return RetryWindow(policy); }
  Kind operator()(const RetryConcurrencyPolicy& policy) const { return RetryConcurrency(policy); }
};

struct Begin {
  Instant now;
  void operator()(TokenBucket& bucket) const { bucket.first_try(); }
  void operator()(RetryWindow& window) const { window.first_try(now); }
  void operator()(RetryConcurrency& concurrency) const { concurrency.begin(); }
};

struct Take {
  RetryCause cause;
  Instant now;
  BudgetHold& hold;

  bool operator()(TokenBucket& bucket) const {
    const std::int64_t cost = bucket.take_retry(cause);
    if (cost < 0) return false;
    hold.last_cost = cost;
    return true;
  }
  bool operator()(RetryWindow& window) const { return window.take_retry(now); }
  bool operator()(RetryConcurrency& concurrency) const {
    return concurrency.take_retry(hold.retrying);
  }
};

struct End {
  bool succeeded;
  const BudgetHold& hold;

  void operator()(TokenBucket& bucket) const {
    if (succeeded) bucket.succeeded(hold.last_cost);
  }
  void operator()(RetryWindow&) const {}
  void operator()(RetryConcurrency& concurrency) const { concurrency.end(hold.retrying); }
};

}  // namespace

Budget::Budget(const BudgetPolicy& policy) : kind_(std::visit(Make(), policy)) {}

void Budget::begin(Instant now) {
  std::visit(Begin{now}, kind_);
}

void Budget::attempt_failed() {
  if (auto* bucket = std::get_if<TokenBucket>(&kind_)) bucket->attempt_failed();
}

bool Budget::take_retry(RetryCause cause, Instant now, BudgetHold& hold) {
  hold.retrying = std::visit(Take{cause, now, hold}, kind_);
  return hold.retrying;
}

void Budget::end(bool succeeded, const BudgetHold& hold) {
  std::visit(End{succeeded, hold}, kind_);
}

}  // namespace retrylab
