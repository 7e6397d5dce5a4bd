// SPDX-License-Identifier: MIT
// A retry policy as a value: every number that the decision reads. presets.h has known ones,
// policy_json.h the JSON form. A policy is checked once, when a client is built from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client_lib/base/ratio.h"
#include "client_lib/base/result.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/breaker_policy.h"
#include "client_lib/retry/budget_policy.h"
#include "client_lib/retry/status_set.h"

namespace retrylab {

// How a wait is drawn below (or around) its ceiling L = min(cap, base * factor^n).
enum class Jitter {
  none,          // L
  full,          // 0 .. L
  equal,         // L/2 .. L
  decorrelated,  // min(cap, base .. 3 * the wait before), whatever L is
  proportional,  // L - spread*L .. L + spread*L: may exceed the cap by that much (gRPC A6)
};

struct Backoff {
  Duration base{std::chrono::milliseconds(250)};
  std::int64_t factor_thousandths = 2000;  // 1000 and base == cap: a fixed wait
  Duration cap{std::chrono::seconds(8)};
  // The first ceiling is base ("base"), or base * factor ("double": AWS's simulator).
  bool first_ceiling_doubled = false;
  // The first retry comes without a wait; `base` is then the first wait that there is, the second
  // retry's. Offered since clients do it: many that fail together come back together.
  bool first_at_once = false;
  Jitter jitter = Jitter::full;
  Ratio spread{1, 5};  // for proportional
  // The base after a throttling answer (429), where it differs (AWS 2.1).
  std::optional<Duration> throttle_base{};
};

// What the policy does when the server says how long to wait.
enum class RetryAfterRule {
  honour_or_fail,      // wait that long; beyond the limit or the deadline fail at once
  honour_or_back_off,  // wait that long; beyond the limit as if nothing had been said
  clamp,               // wait min(limit, that): comes back earlier than asked
  ignore,              // wait as if nothing had been said
};

// The headers that may carry a wait, in the order of precedence.
struct WaitHeaders {
  bool retry_after = true;           // Retry-After, RFC 9110 §10.2.3
  bool retry_after_ms = false;       // retry-after-ms: whole milliseconds
  bool x_amz_retry_after = false;    // x-amz-retry-after: whole milliseconds
  bool grpc_retry_pushback = false;  // grpc-retry-pushback-ms; negative: do not retry
  bool ratelimit = false;            // RateLimit: t=, and RateLimit-Reset: delta seconds
  bool x_ratelimit_reset = false;    // X-RateLimit-Reset, X-Rate-Limit-Reset: delta or epoch

  friend bool operator==(const WaitHeaders&, const WaitHeaders&) = default;
};

struct ServerWaitPolicy {
  RetryAfterRule rule = RetryAfterRule::honour_or_fail;
  // The longest wait taken from a server; nothing: the backoff's cap.
  std::optional<Duration> limit;
  // AWS 2.1: the wait is clamped to [own backoff, own backoff + this]; needs rule clamp.
  std::optional<Duration> clamp_over_backoff;
  // Added on top, drawn from 0 .. spread, so that a herd told the same instant does not come
  // back at the same instant. Never makes a wait miss the deadline.
  Duration spread{0};
  WaitHeaders headers;
};

// "x-should-retry" and "Stripe-Should-Retry": true and false.
enum class ShouldRetryHint {
  ignore,
  heed_no,  // false stops; true changes nothing
  heed,     // true retries too, where repeating is safe
};

struct Policy {
  std::uint32_t attempts = 5;  // the first included
  Backoff backoff;
  // For the whole operation, sleeps included, from its first attempt on; kForever: none.
  Duration deadline{std::chrono::seconds(30)};
  // For one attempt, from connecting to the answer's last byte; kForever: none.
  Duration attempt_timeout{std::chrono::seconds(10)};
  ServerWaitPolicy server_wait;

  // Answers that are worth another attempt. 413 with a valid wait, and 409 for a key that is
  // in progress, are retried besides.
  StatusSet statuses{408, 429, 502, 503, 504};
  // Methods that may be repeated without an idempotency key (RFC 9110 §9.2.2); "*": any.
  std::vector<std::string> methods{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"};
  // Answers trusted to mean that nothing was executed: repeated whatever the method.
  StatusSet not_executed_statuses;
  ShouldRetryHint should_retry = ShouldRetryHint::heed_no;
  std::uint32_t redirects = 0;  // how many are followed; 0: a 3xx is the final answer

  std::optional<BudgetPolicy> budget;
  std::optional<BreakerPolicy> breaker;
};

// The policy itself, or why it makes no sense: `where` is the field's JSON name.
Result<Policy> checked(Policy policy);

std::string_view word(Jitter jitter);
std::string_view word(RetryAfterRule rule);

}  // namespace retrylab
