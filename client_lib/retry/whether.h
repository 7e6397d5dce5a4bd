// SPDX-License-Identifier: MIT
// Whether an outcome is worth another attempt, and whether repeating the request is safe.
#pragma once

#include <string_view>

#include "client_lib/retry/outcome.h"
#include "client_lib/retry/policy.h"
#include "client_lib/retry/reason.h"
#include "client_lib/retry/server_wait.h"

namespace retrylab {

// What the decision has to know of the request. The method's text outlives the operation.
struct Facts {
  std::string_view method = "GET";
  bool has_key = false;         // an idempotency key goes with every attempt
  bool repeatable_body = true;  // the body can be sent again
};

struct Judgement {
  enum class Kind { success, redirect, retryable, final };
  Kind kind = Kind::final;
  Reason reason = Reason::permanent_status;  // for final
  bool throttled = false;                    // the server asked for less (429)
};

// `wait` is what the answer says about coming back (find_server_wait).
Judgement judge(const Policy& policy, const Facts& facts, const Outcome& outcome,
                const ServerWait& wait);

// A 409 that says "a request with this key is in progress", as far as one can tell: its body or
// its Link header speaks of idempotency, or it says when to come back
// (draft-ietf-httpapi-idempotency-key-header §2.7 fixes the status, not the words).
bool says_key_in_progress(const Response& response, const ServerWait& wait);

}  // namespace retrylab
