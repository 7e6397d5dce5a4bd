// SPDX-License-Identifier: MIT
// `retrylab simulate`: what a herd of clients does to a scenario's server, in virtual time.
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"
#include "server/cli/invocation.h"

namespace retrylab::cli {

// Adds the subcommand; `code` is set when it ran. `invocation` and `code` outlive the parsing.
void add_simulate(CLI::App& app, const Invocation& invocation, ExitCode& code);

}  // namespace retrylab::cli
