// SPDX-License-Identifier: MIT
// `retrylab schema`: print a JSON Schema.
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"

namespace retrylab::cli {

// Adds the subcommand; `code` is set when it ran and outlives the parsing.
void add_schema(CLI::App& app, ExitCode& code);

}  // namespace retrylab::cli
