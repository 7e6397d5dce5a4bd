// SPDX-License-Identifier: MIT
// All that the program prints. Nothing here throws or ends the program when a stream cannot be
// written: a reader may leave early, and the verdict is the exit code. check_output() tells at the
// end, once for all subcommands.
#pragma once

#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "client_lib/base/result.h"

namespace retrylab::cli {

void write_text(std::FILE* stream, std::string_view text);

template <typename... Args>
void print(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  write_text(stream, fmt::format(format, std::forward<Args>(args)...));
}

// On standard output.
template <typename... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  write_text(stdout, fmt::format(format, std::forward<Args>(args)...));
}

// Writes out what is left for standard output. ErrorCode::machine with the reason when not all of
// it could be written; a pipe whose reader has left is no error.
Result<void> check_output();

}  // namespace retrylab::cli
