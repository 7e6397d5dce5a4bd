// SPDX-License-Identifier: MIT
// How long until the next attempt: what the server said, as the policy takes it, and else our own
// backoff.
#pragma once

#include "client_lib/base/random.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/backoff.h"
#include "client_lib/retry/policy.h"
#include "client_lib/retry/server_wait.h"

namespace retrylab {

enum class WaitCause {
  backoff,      // of our own accord
  retry_after,  // the server said so
  redirect,     // a 3xx said so: the least wait before following it (RFC 9110 §10.2.3)
};

struct Wait {
  Duration time{0};
  WaitCause cause = WaitCause::backoff;
  bool too_long = false;  // the server asks for more than the policy's limit
};

struct WaitQuestion {
  ServerWait server;
  bool throttled = false;  // the answer was a 429
  Duration left{0};        // until the operation's deadline
};

// Before a retry. A wait of zero from the server ("come back at once", or a date in the past) is
// answered by our own backoff, so that a herd does not come back together.
Wait retry_wait(const Policy& policy, const WaitQuestion& question, BackoffState& state,
                Random& random);

// Before following a redirect: what the server says, or nothing at all.
Wait redirect_wait(const Policy& policy, const ServerWait& server);

}  // namespace retrylab
