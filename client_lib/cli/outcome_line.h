// SPDX-License-Identifier: MIT
// The one JSON line that retrylab-client prints.
#pragma once

#include <string>

#include "client_lib/net/retry_client.h"

namespace retrylab::cli {

// {"outcome": "success"|"failure", "status": 201, "body_sha256": "...", "reason": "...",
//  "key": "...", "attempts": [{"at_ms", "took_ms", "status"|"failure", "wait_ms", "why"}]}
// `status` and `body_sha256` are those of the last answer and missing when there was none.
std::string outcome_line(const OperationResult& result);

}  // namespace retrylab::cli
