// SPDX-License-Identifier: MIT
// What a client makes of Retry-After: which forms it understands, how long it sits through, and
// whether it comes early or late.
#pragma once

#include "server/audit/infer/findings.h"
#include "server/audit/infer/observed.h"

namespace retrylab::audit {

// `backoff`: what the client waits by itself, since a wait that would have been as long without
// being asked for shows nothing. `retried`: the statuses that it retries at all, since giving up
// after another shows nothing either.
WaitsFound infer_waits(const Observed& observed, const Findings& known);

}  // namespace retrylab::audit
