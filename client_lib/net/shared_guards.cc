// SPDX-License-Identifier: MIT
#include "client_lib/net/shared_guards.h"

namespace retrylab {

SharedGuards::SharedGuards(const Policy& policy) : breaker_policy_(policy.breaker) {
  if (policy.budget) budget_.emplace(*policy.budget);
}

Guards SharedGuards::guards(const std::string& origin) {
  Guards guards;
  if (budget_) guards.budget = &*budget_;
  if (breaker_policy_) {
    guards.breaker = &breakers_.try_emplace(origin, *breaker_policy_).first->second;
  }
  return guards;
}

}  // namespace retrylab
