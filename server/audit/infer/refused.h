// SPDX-License-Identifier: MIT
// Whether a refused connection is retried. The server cannot see a refused connect: it sees whether
// the client comes back when the port is open again, and how long it lived when it does not.
#pragma once

#include <optional>

#include "server/audit/infer/findings.h"
#include "server/audit/infer/observed.h"

namespace retrylab::audit {

// Nothing when it was not probed.
std::optional<Reaction> infer_refused(const Observed& observed, const BackoffFound& backoff);

}  // namespace retrylab::audit
