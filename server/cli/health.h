// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "server/cli/exit_code.h"

namespace retrylab::cli {

// `retrylab health [URL]`: asks a running server's admin port whether it is well; for a container
// image that has no other HTTP client.
void add_health(CLI::App& app, ExitCode& code);

}  // namespace retrylab::cli
