// SPDX-License-Identifier: MIT
// What the program's exit code says.
#pragma once

#include "client_lib/base/result.h"
#include "server/verify/verdict.h"

namespace retrylab::cli {

enum class ExitCode {
  pass = 0,
  failed = 1,  // the verdict
  usage = 2,   // the command line
  invalid_scenario = 3,
  could_not_run = 4,  // this machine: port, file, client program
  inconclusive = 5,   // the verdict
};

// What to do with an inconclusive verdict that no rerun has cleared up.
enum class Inconclusive { report, pass, fail };

ExitCode exit_code(verify::Status verdict, Inconclusive inconclusive);

// Prints the error on standard error and says how to exit.
ExitCode give_up(const Error& error);

// 128 + n, as a shell says that signal n ended a program.
ExitCode signalled(int signal);

}  // namespace retrylab::cli
