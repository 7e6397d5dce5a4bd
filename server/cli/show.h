// SPDX-License-Identifier: MIT
// `retrylab show`: print a scenario of the catalogue.
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"

namespace retrylab::cli {

// Adds the subcommand; `code` is set when it ran and outlives the parsing.
void add_show(CLI::App& app, ExitCode& code);

}  // namespace retrylab::cli
