// SPDX-License-Identifier: MIT
#include "server/cli/layers_argument.h"

#include "server/cli/policy_argument.h"
#include "server/cli/split_argument.h"

namespace retrylab::cli {
Result<std::vector<Policy>> layers_argument(const std::string& text) {
  std::vector<Policy> policies;
  for (const std::string& part : split_argument(text, '+')) {
    auto policy = policy_argument(part);
    if (!policy) return tl::unexpected(policy.error());
    policies.push_back(std::move(*policy));
  }
  return policies;
}

}  // namespace retrylab::cli
