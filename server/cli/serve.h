// SPDX-License-Identifier: MIT
// `retrylab serve`: serve scenarios until stopped.
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"
#include "server/cli/invocation.h"

namespace retrylab::cli {

// Adds the subcommand; `code` is set when it ran and outlives the parsing.
void add_serve(CLI::App& app, const Invocation& invocation, ExitCode& code);

}  // namespace retrylab::cli
