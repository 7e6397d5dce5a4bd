// SPDX-License-Identifier: MIT
#include "server/cli/invocation.h"

#include <string_view>

namespace retrylab::cli {
namespace {

bool needs_quotes(std::string_view argument) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=,+@%^{}";
  return argument.empty() || argument.find_first_not_of(kPlain) != std::string_view::npos;
}

std::string in_quotes(std::string_view argument) {
  std::string text = "'";
  for (const char letter : argument) {
    if (letter == '\'') text += "'\\'";
    text += letter;
  }
  return text + "'";
}

}  // namespace

std::string shell_line(const std::vector<std::string>& arguments) {
  std::string line;
  for (const auto& argument : arguments) {
    if (!line.empty()) line += ' ';
    line += needs_quotes(argument) ? in_quotes(argument) : argument;
  }
  return line;
}

}  // namespace retrylab::cli
