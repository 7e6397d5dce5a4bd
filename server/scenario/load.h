// SPDX-License-Identifier: MIT
// Reads and validates scenario text. All mistakes of a file come at once, each with its place.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "client_lib/base/result.h"
#include "server/scenario/scenario.h"

namespace retrylab::scenario {

// One mistake of a scenario file.
struct Mistake {
  int line = 0;            // 1-based; 0 when the file itself could not be read
  int column = 0;          // 1-based, in bytes
  std::string pointer;     // RFC 6901
  std::string message;     // what is wrong and what would be right
};

// "FILE:LINE:COLUMN: MESSAGE (at POINTER)".
std::string describe(std::string_view file, const Mistake& mistake);

// Reads a file named by body_file, relative to the scenario's folder. The pure folder opens no
// file itself; the caller hands in how.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;

// `text` is the whole file. Never throws.
tl::expected<Scenario, std::vector<Mistake>> load(std::string_view text, const ReadFile& read);

// The JSON Schema (draft-07) of the scenario language.
std::string_view schema_text();

}  // namespace retrylab::scenario
