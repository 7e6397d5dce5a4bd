// SPDX-License-Identifier: MIT
// Every flag can be set by an environment variable too: --ready-file by RETRYLAB_READY_FILE. The
// command line wins.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"

namespace retrylab::cli {

// "RETRYLAB_READY_FILE", or "" for what is no such flag: arguments, --help, --version.
std::string variable_of(const CLI::Option& option);

// Lets the subcommand that is called `command`, if there is one, read its flags' variables. Only
// that one: a value meant for it must not be a mistake of another.
void read_variables(CLI::App& app, const std::string& command);

// `retrylab variables`: which flags each variable sets.
void add_variables(CLI::App& app, ExitCode& code);

}  // namespace retrylab::cli
