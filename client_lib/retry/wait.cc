// SPDX-License-Identifier: MIT
#include "client_lib/retry/wait.h"

#include <algorithm>

namespace retrylab {
namespace {

Duration limit_of(const Policy& policy) {
  return policy.server_wait.limit.value_or(policy.backoff.cap);
}

// Whether the policy lets the server say how long to wait.
bool heeds(const Policy& policy, const ServerWait& server) {
  if (server.kind != ServerWait::Kind::wait) return false;
  switch (policy.server_wait.rule) {
    case RetryAfterRule::honour_or_back_off:
      return server.wait <= limit_of(policy);
    case RetryAfterRule::ignore:
      return false;
    case RetryAfterRule::honour_or_fail:
    case RetryAfterRule::clamp:
      break;
  }
  return true;
}

// What the rule makes of the server's wait.
Wait taken(const Policy& policy, const ServerWait& server, WaitCause cause) {
  const Duration limit = limit_of(policy);
  const bool clamps = policy.server_wait.rule == RetryAfterRule::clamp;
  if (clamps) return {.time = std::min(server.wait, limit), .cause = cause};
  return {.time = server.wait, .cause = cause, .too_long = server.wait > limit};
}

// Spread over what the deadline leaves, so that spreading alone never misses it.
Duration spread(const Policy& policy, const Wait& wait, Duration left, Random& random) {
  const Duration most = std::min(policy.server_wait.spread, left - wait.time - Duration(1));
  return most > Duration(0) ? random.between(Duration(0), most) : Duration(0);
}

}  // namespace

Wait retry_wait(const Policy& policy, const WaitQuestion& question, BackoffState& state,
                Random& random) {
  const ServerWait& server = question.server;
  if (server.kind == ServerWait::Kind::wait && server.pushback) {
    state = {};  // gRPC A6
    return {.time = server.wait, .cause = WaitCause::retry_after};
  }
  const bool heeded = heeds(policy, server) && server.wait > Duration(0);
  if (!heeded || policy.server_wait.clamp_over_backoff) {
    const Duration own = draw_backoff(policy.backoff, question.throttled, state, random);
    if (!heeded) return {.time = own, .cause = WaitCause::backoff};
    const Duration most = own + *policy.server_wait.clamp_over_backoff;
    return {.time = std::clamp(server.wait, own, most), .cause = WaitCause::retry_after};
  }
  Wait wait = taken(policy, server, WaitCause::retry_after);
  if (!wait.too_long) wait.time += spread(policy, wait, question.left, random);
  return wait;
}

Wait redirect_wait(const Policy& policy, const ServerWait& server) {
  if (!heeds(policy, server)) return {.cause = WaitCause::redirect};
  return taken(policy, server, WaitCause::redirect);
}

}  // namespace retrylab
