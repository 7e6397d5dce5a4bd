// SPDX-License-Identifier: MIT
// The JSON form of a policy, shared by retrylab-client, `retrylab simulate` and the policy card.
// Every member may be left out and then keeps the value of the base policy ("preset", else
// `careful`). Unknown and duplicate members are errors.
//
//   {"preset": "careful", "attempts": 5, "base": "250ms", "factor": 2, "cap": "8s",
//    "first_ceiling": "base|double", "first_retry": "wait|at_once",
//    "jitter": "none|full|equal|decorrelated|proportional", "jitter_spread": 0.2,
//    "throttle_base": "1s", "deadline": "30s|none", "attempt_timeout": "10s|none",
//    "retry_after": "honour_or_fail|honour_or_back_off|clamp|ignore",
//    "retry_after_limit": "60s", "retry_after_spread": "250ms", "clamp_over_backoff": "5s",
//    "retry_after_headers": ["retry-after", "retry-after-ms", "x-amz-retry-after",
//                            "grpc-retry-pushback-ms", "ratelimit", "x-ratelimit-reset"],
//    "statuses": [408, 429, 502, 503, 504], "methods": ["GET", ...] or ["*"],
//    "not_executed_statuses": [], "should_retry": "ignore|heed_no|heed", "redirects": 0,
//    "budget": {"kind": "tokens|window|concurrency", ...} or null,
//    "breaker": {"window": 100 or "10s", "threshold": 0.5, "min_calls": 20, "cool_down": "5s",
//                "probes": 1, "probe_timeout": "10s", "count_throttling": false} or null}
#pragma once

#include <string>
#include <string_view>

#include "client_lib/base/result.h"
#include "client_lib/retry/policy.h"

namespace retrylab {

// Decoded and checked. `where` of an error is the member: "backoff", "budget.ratio".
Result<Policy> policy_from_json(std::string_view text);

// Every member, in the order above, on one line. policy_from_json reads it back.
std::string policy_to_json(const Policy& policy);

}  // namespace retrylab
