// SPDX-License-Identifier: MIT
// Flags that several subcommands share, and how their values are read. A wrong value ends the
// parsing with a sentence that says what would be right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "client_lib/base/time.h"
#include "server/cli/exit_code.h"

namespace retrylab::cli {

// Adds a subcommand with its description and an example for the end of its help text.
CLI::App* add_subcommand(CLI::App& app, const std::string& name, const std::string& description,
                         const std::string& examples);

// "--timeout 30s"
void add_duration(CLI::App& command, const std::string& flag, Duration& value,
                  const std::string& description);

// Refuses what is no whole number from `least` to `most`, and says so.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
// 0: any free one.
CLI::Validator port_number();

// "--seed N"
void add_seed(CLI::App& command, std::optional<std::uint64_t>& seed);

// "--inconclusive rerun:N | pass | fail"
struct OnInconclusive {
  Inconclusive then = Inconclusive::report;
  std::uint32_t reruns = 1;
};
void add_inconclusive(CLI::App& command, OnInconclusive& value);

// "--require-statistics"
void add_statistics(CLI::App& command, verify::Statistics& value);

}  // namespace retrylab::cli
