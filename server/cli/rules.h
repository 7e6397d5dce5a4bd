// SPDX-License-Identifier: MIT
// `retrylab rules`: list and explain the rules that a report names. docs/rules.md is its
// --markdown output.
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"

namespace retrylab::cli {

// Adds the subcommand; `code` is set when it ran and outlives the parsing.
void add_rules(CLI::App& app, ExitCode& code);

}  // namespace retrylab::cli
