// SPDX-License-Identifier: MIT
// May we retry? The running state of a retry budget, shared by all operations of a client: a
// plain value without a lock (the lock is in net/).
#pragma once

#include <variant>

#include "client_lib/retry/budget_policy.h"
#include "client_lib/retry/retry_concurrency.h"
#include "client_lib/retry/retry_window.h"
#include "client_lib/retry/token_bucket.h"

namespace retrylab {

// What one operation holds of the budget.
struct BudgetHold {
  std::int64_t last_cost = 0;  // thousandths of a token that its last retry took
  bool retrying = false;       // it has been granted a retry
};

// For each operation: begin once, then attempt_failed and take_retry as they come, end once.
class Budget {
 public:
  explicit Budget(const BudgetPolicy& policy);

  void begin(Instant now);
  // An attempt failed in a way that is worth a retry (gRPC A6 counts only those).
  void attempt_failed();
  // Grants a retry and charges for it, or refuses and charges nothing.
  bool take_retry(RetryCause cause, Instant now, BudgetHold& hold);
  void end(bool succeeded, const BudgetHold& hold);

  // For tests and metrics: nothing when the budget is of another kind.
  const TokenBucket* bucket() const { return std::get_if<TokenBucket>(&kind_); }
  const RetryConcurrency* concurrency() const { return std::get_if<RetryConcurrency>(&kind_); }

 private:
  std::variant<TokenBucket, RetryWindow, RetryConcurrency> kind_;
};

}  // namespace retrylab
