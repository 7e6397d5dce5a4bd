// SPDX-License-Identifier: MIT
// How a program that serves until it is told to stop gets on with whoever started it: when it
// says that it is ready, and what else than a signal ends it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "client_lib/base/result.h"
#include "server/cli/leash.h"

namespace retrylab::cli {

struct Lifecycle {
  std::string ready_file;
  int ready_fd = -1;  // -1: none
  Leash::Holders holders;
};

// Adds --ready-file, --ready-fd, --exit-with-parent and --exit-on-stdin-close.
void add_lifecycle(CLI::App& command, Lifecycle& lifecycle);

// "--exit-with-parent" alone, for a program that ends by itself.
void add_exit_with_parent(CLI::App& command, Leash::Holders& holders);

// The line to standard output, and to the file and the descriptor that were asked for; the
// descriptor is closed then. Errors: ErrorCode::machine with the one that cannot be written.
Result<void> say_ready(const Lifecycle& lifecycle, std::string_view line);

}  // namespace retrylab::cli
