// SPDX-License-Identifier: MIT
// An audit in virtual time: clients with a known policy against the scenarios of the audit, so that
// what is inferred can be compared with what is true.
#pragma once

#include <cstdint>
#include <vector>

#include "client_lib/retry/policy.h"
#include "server/audit/case.h"

namespace retrylab::audit {

struct VirtualAudit {
  bool quick = false;                        // fewer scenarios and clients
  Duration limit{std::chrono::seconds(90)};  // a client that is still busy is stopped
  bool noise = true;                         // timers a few milliseconds late, as on a real host
  bool policy_only = false;                  // only the scenarios that the policy card is made from
  bool ends_when_refused = false;            // a refused connection is the end of its operation
};

// The cases of an audit of the reference client's decision with that policy, judged.
std::vector<Case> audit_virtually(const Policy& policy, std::uint64_t seed, VirtualAudit how);

}  // namespace retrylab::audit
