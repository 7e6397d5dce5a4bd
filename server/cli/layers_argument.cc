// SPDX-License-Identifier: MIT
#include "server/cli/layers_argument.h"

#include "server/cli/policy_argument.h"

namespace retrylab::cli {
namespace {

// At each "+" outside of braces, brackets and quotes.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '"') quoted = !quoted;
    if (!quoted && (letter == '{' || letter == '[')) ++depth;
    if (!quoted && (letter == '}' || letter == ']')) --depth;
    if (letter == '+' && depth == 0 && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

}  // namespace

Result<std::vector<Policy>> layers_argument(const std::string& text) {
  std::vector<Policy> policies;
  for (const std::string& part : split(text)) {
    auto policy = policy_argument(part);
    if (!policy) return tl::unexpected(policy.error());
    policies.push_back(std::move(*policy));
  }
  return policies;
}

}  // namespace retrylab::cli
