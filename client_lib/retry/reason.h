// SPDX-License-Identifier: MIT
// Why an operation ended: the closed list that every final result names one of.
#pragma once

#include <string_view>

namespace retrylab {

enum class Reason {
  succeeded,            // a complete answer, 2xx or 3xx
  permanent_status,     // an answer that repeating would not change
  permanent_failure,    // a bad certificate, or an answer too large: no better next time
  invalid_request,      // the request could not be sent at all
  not_idempotent,       // it may have been executed, and repeating it could do it twice
  body_not_repeatable,  // the body's source cannot be rewound
  server_said_no,       // x-should-retry: false, or a negative pushback
  attempts_exhausted,
  deadline,                   // the total time is used up, or the next wait would use it up
  retry_after_exceeds_limit,  // the server asked for a longer wait than the policy allows
  budget_empty,               // the retry budget refuses
  breaker_open,               // the circuit breaker refuses
  redirect_refused,           // too many redirects, or one that must not be followed
  cancelled,                  // by the caller
};

// The word of the log and the JSON outcome: "attempts_exhausted".
std::string_view word(Reason reason);

}  // namespace retrylab
