// SPDX-License-Identifier: MIT
// `retrylab profiles`: list and explain the profiles that a scenario may name. docs/profiles.md
// is its --markdown output.
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"

namespace retrylab::cli {

// Adds the subcommand; `code` is set when it ran and outlives the parsing.
void add_profiles(CLI::App& app, ExitCode& code);

}  // namespace retrylab::cli
