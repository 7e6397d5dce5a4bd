// SPDX-License-Identifier: MIT
// `retrylab audit`: run a client through the audit set, print its scorecard and policy card.
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"
#include "server/cli/invocation.h"

namespace retrylab::cli {

// Adds the subcommand; `code` is set when it ran. `invocation` and `code` outlive the parsing.
void add_audit(CLI::App& app, const Invocation& invocation, ExitCode& code);

}  // namespace retrylab::cli
