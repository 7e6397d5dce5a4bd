// SPDX-License-Identifier: MIT
// What a scenario takes for granted of a client. Where a client does not meet it, the scenario
// says nothing of it, and passing it is no merit.
#pragma once

#include <optional>
#include <string>

#include "server/audit/case.h"
#include "server/audit/infer/findings.h"

namespace retrylab::audit {

// Why that case cannot judge the client; nothing when it can.
std::optional<std::string> unmet_premise(const Case& one, const Findings& findings);

// A host too busy for it, or a client that does nothing.
bool was_stopped_before_it_began(const journal::Run& run);

// The client says that it cannot make such a request: exit code 77.
inline constexpr int kExitUnsupported = 77;

}  // namespace retrylab::audit
