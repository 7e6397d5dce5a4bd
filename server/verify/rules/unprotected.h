// SPDX-License-Identifier: MIT
// Repeating what no key protects (ID-1, ID-2).
#pragma once

#include <functional>
#include <string>

#include "server/verify/evidence.h"

namespace retrylab::verify {

struct Unprotected {
  std::string expected;
  std::string none;
  std::string advice;
};

// Fails when a POST or PATCH without an effective key is followed by another attempt after an
// outcome for which `applies`.
RuleResult judge_unprotected(const Evidence& evidence, const Unprotected& what,
                             const std::function<bool(const AttemptEvidence&)>& applies);

}  // namespace retrylab::verify
