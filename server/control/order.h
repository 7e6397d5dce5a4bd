// SPDX-License-Identifier: MIT
// The bodies that clients send, decoded. Every mistake comes with its place in the body.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "server/control/problem.h"
#include "server/control/runs.h"

namespace retrylab::control {

// openapi.json: NewRun. Problems: invalid_json, unknown_scenario, invalid_scenario.
Expected<NewRun> read_new_run(std::string_view body);

// openapi.json: Reset. An empty body is one without a seed.
Expected<std::optional<std::uint64_t>> read_reset(std::string_view body);

}  // namespace retrylab::control
