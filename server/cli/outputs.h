// SPDX-License-Identifier: MIT
// Where reports go: the text to the terminal, other formats to files or "-", several at once.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "client_lib/base/result.h"
#include "server/report/report.h"

namespace retrylab::cli {

struct Outputs {
  std::string json;  // FILE, "-" or "" for none
  std::string junit;
  std::string html;
  bool github = false;
  bool verbose = false;

  // A report that programs read takes standard output: text and client output then go to
  // standard error.
  bool takes_stdout() const { return json == "-" || junit == "-" || html == "-"; }
  bool any_file() const { return !json.empty() || !junit.empty() || !html.empty(); }
};

// Adds --json, --junit, --html, --github and --verbose.
void add_outputs(CLI::App& command, Outputs& outputs);

// Writes every report that was asked for; the text last, so that the verdict is the last line.
// Errors: ErrorCode::machine with the file that cannot be written.
Result<void> write_reports(const report::Report& report, const Outputs& outputs, std::FILE* text);

// For a scenario that could not be judged: an error in the JUnit report, if one was asked for.
void write_failure(const std::string& scenario, const Error& error, const Outputs& outputs);

}  // namespace retrylab::cli
