// SPDX-License-Identifier: MIT
// The policy that a user would set for the server of a cage: what its scenario declares.
#pragma once

#include "client_lib/retry/policy.h"
#include "tests/zoo/wrong_client.h"

namespace retrylab {

// `expect` is what the scenario of `cage` expects.
Policy policy_for(const zoo::WrongClient& cage, const scenario::Expect& expect);

}  // namespace retrylab
