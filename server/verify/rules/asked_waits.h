// SPDX-License-Identifier: MIT
// What the rules about Retry-After have in common.
#pragma once

#include <functional>
#include <string>

#include "server/verify/evidence.h"
#include "server/verify/rules/tally.h"

namespace retrylab::verify {

using AttemptTest = std::function<bool(const AttemptEvidence&)>;

// Each gap after an answer that `applies`: not earlier than asked (RA-1, RA-3, RA-4, RA-10, CLS-7).
RuleResult judge_minimum_waits(const Evidence& evidence, const std::string& none,
                               const AttemptTest& applies);

// A Retry-After that asks for nothing that can be waited for (invalid, or past): the client goes
// on by its own backoff. Fails when it hangs, gives up or comes much too late; with
// `needs_backoff`, also when it comes at once though its backoff is known (RA-5, RA-6, RA-7).
struct Unusable {
  std::string none;
  std::string advice;
  bool needs_backoff = false;
};
RuleResult judge_unusable(const Evidence& evidence, const Unusable& what,
                          const AttemptTest& applies);

}  // namespace retrylab::verify
