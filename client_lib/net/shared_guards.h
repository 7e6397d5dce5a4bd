// SPDX-License-Identifier: MIT
// The budget and the breakers of a client, behind one lock, for all its threads.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "client_lib/retry/breaker.h"
#include "client_lib/retry/budget.h"
#include "client_lib/retry/next_move.h"

namespace retrylab {

// Thread-safe.
class SharedGuards {
 public:
  explicit SharedGuards(const Policy& policy);

  // Calls decide(Guards) with the guards for requests to `origin`, under the lock when there
  // are any.
  template <typename Decide>
  auto with(const std::string& origin, Decide decide) {
    if (!budget_ && !breaker_policy_) return decide(Guards{});
    const std::lock_guard lock(mutex_);
    return decide(guards(origin));
  }

 private:
  Guards guards(const std::string& origin);

  std::mutex mutex_;
  std::optional<Budget> budget_;
  std::optional<BreakerPolicy> breaker_policy_;
  std::map<std::string, Breaker> breakers_;
};

}  // namespace retrylab
