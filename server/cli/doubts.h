// SPDX-License-Identifier: MIT
// Scenarios that are well formed, but contradict the rules of the profile they name: no client can
// pass them.
#pragma once

#include <optional>
#include <string>

#include "server/scenario/scenario.h"

namespace retrylab::cli {

// A sentence, without its final stop; nothing where no contradiction is found.
std::optional<std::string> doubt_about(const scenario::Scenario& scenario);

// Says so on standard error: "payments.json: warning: ...".
void warn_of_doubt(const std::string& name, const scenario::Scenario& scenario);

}  // namespace retrylab::cli
