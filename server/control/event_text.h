// SPDX-License-Identifier: MIT
// Server-sent events as text.
#pragma once

#include <string>
#include <string_view>

#include "server/control/changes.h"
#include "server/control/json_text.h"

namespace retrylab::control {

// One event; `json` becomes one line of data.
std::string event_text(std::string_view name, const Json& json);

// `run_started`, `run_reset` or `run_ended`.
std::string event_text(const Change& change);

// `dropped`: the client was too slow for what lies between.
std::string dropped_event(std::uint64_t from, std::uint64_t until);

}  // namespace retrylab::control
