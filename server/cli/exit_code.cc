// SPDX-License-Identifier: MIT
#include "server/cli/exit_code.h"

#include <cstdio>

#include "server/cli/print.h"

namespace retrylab::cli {

ExitCode exit_code(verify::Status verdict, Inconclusive inconclusive) {
  switch (verdict) {
    case verify::Status::pass:
    case verify::Status::advice:
    case verify::Status::not_applicable:
      return ExitCode::pass;
    case verify::Status::fail:
      return ExitCode::failed;
    case verify::Status::inconclusive:
      break;
  }
  switch (inconclusive) {
    case Inconclusive::report:
      return ExitCode::inconclusive;
    case Inconclusive::pass:
      return ExitCode::pass;
    case Inconclusive::fail:
      return ExitCode::failed;
  }
  return ExitCode::inconclusive;
}

ExitCode give_up(const Error& error) {
  print(stderr, "retrylab: {}{}{}\n", error.where, error.where.empty() ? "" : ": ", error.message);
  switch (error.code) {
    case ErrorCode::invalid_scenario:
      return ExitCode::invalid_scenario;
    case ErrorCode::invalid_argument:
      return ExitCode::usage;
    case ErrorCode::machine:
      return ExitCode::could_not_run;
  }
  return ExitCode::could_not_run;
}

ExitCode signalled(int signal) {
  return static_cast<ExitCode>(128 + signal);
}

}  // namespace retrylab::cli
