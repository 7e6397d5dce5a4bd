// SPDX-License-Identifier: MIT
// Clients that come back at one time (HERD-1, RA-14).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/verify/evidence.h"

namespace retrylab::verify {

// When clients came back, in seconds from the instant that they may come; one entry each.
struct Return {
  double after = 0;
  const Gap* gap = nullptr;
};

// Fails when any tenth of `range` seconds has more of them than chance puts there.
RuleResult judge_spread(const std::vector<Return>& returns, double range,
                        const std::string& advice);

inline constexpr std::size_t kHerdMin = 20;

}  // namespace retrylab::verify
