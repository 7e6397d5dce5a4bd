// SPDX-License-Identifier: MIT
// What was found out as a policy that `retrylab simulate --policy` runs. What was not seen has the
// value that does least: no wait asked for is refused, no deadline, no timeout.
#pragma once

#include <string>

#include "client_lib/retry/policy.h"
#include "server/audit/infer/findings.h"

namespace retrylab::audit {

// Always one that `checked` accepts.
Policy policy_of(const Findings& findings);

// Its JSON form (client_lib/retry/policy_json.h) with a line feed.
std::string policy_card(const Findings& findings);

}  // namespace retrylab::audit
