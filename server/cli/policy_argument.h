// SPDX-License-Identifier: MIT
// A POLICY argument: a preset, a file, or members written out.
//
//   careful                        a preset
//   policies/mine.json             a file in the JSON form (DESIGN section 7)
//   careful,jitter=none,base=1s    a preset with members changed
//   attempts=3,budget={"kind":"tokens","capacity":10}
#pragma once

#include <string>

#include "client_lib/base/result.h"
#include "client_lib/retry/policy.h"

namespace retrylab::cli {

Result<Policy> policy_argument(const std::string& text);

}  // namespace retrylab::cli
