// SPDX-License-Identifier: MIT
// Random policies as people write them, and how near an inferred one is to the truth.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/random.h"
#include "client_lib/retry/policy.h"
#include "server/audit/infer/findings.h"

namespace retrylab::audit {

Policy random_policy(Random& random);

// unknown: the audit says that it could not tell.
enum class Hit { right, unknown, wrong };

struct Score {
  std::string_view property;
  Hit hit = Hit::unknown;
  std::string story;  // "8s, found 4s"
};

// One per property of the policy card, in a fixed order.
std::vector<Score> compare(const Policy& truth, const Findings& found);

}  // namespace retrylab::audit
