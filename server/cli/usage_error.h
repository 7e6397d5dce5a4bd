// SPDX-License-Identifier: MIT
// What to say of a command line that cannot be understood.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "server/cli/invocation.h"

namespace retrylab::cli {

// `arguments`: all before "--". With what would be right, where that can be known, and with where
// to read on. Ends with a line feed.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error,
                        const std::vector<std::string>& arguments, const Invocation& invocation);

}  // namespace retrylab::cli
