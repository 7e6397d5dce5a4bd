// SPDX-License-Identifier: MIT
// `retrylab run`: start the server, run a client against it, print the verdict.
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"
#include "server/cli/invocation.h"

namespace retrylab::cli {

// Adds the subcommand; `code` is set when it ran. `invocation` and `code` outlive the parsing.
void add_run(CLI::App& app, const Invocation& invocation, ExitCode& code);

}  // namespace retrylab::cli
