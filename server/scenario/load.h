// SPDX-License-Identifier: MIT
// Reads and validates scenario text. All mistakes of a file come at once, each with its place.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "client_lib/base/result.h"
#include "server/scenario/mistake.h"
#include "server/scenario/scenario.h"

namespace retrylab::scenario {

// Reads a file named by body_file, relative to the scenario's folder. The pure folder opens no
// file itself; the caller hands in how.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;

// `text` is the whole file. Never throws.
tl::expected<Scenario, std::vector<Mistake>> load(std::string_view text, const ReadFile& read);

// The JSON Schema (draft-07) of the scenario language.
std::string_view schema_text();

}  // namespace retrylab::scenario
