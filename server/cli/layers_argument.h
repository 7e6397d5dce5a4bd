// SPDX-License-Identifier: MIT
// --policy of `simulate`: the clients' policy, and behind each "+" that of a service between them
// and the server, which retries too: "careful+attempts=4+aws-standard-2.1".
#pragma once

#include <string>
#include <vector>

#include "client_lib/base/result.h"
#include "client_lib/retry/policy.h"

namespace retrylab::cli {

// From the clients down, one at least. Errors: as policy_argument().
Result<std::vector<Policy>> layers_argument(const std::string& text);

}  // namespace retrylab::cli
