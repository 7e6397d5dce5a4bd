// SPDX-License-Identifier: MIT
#include "server/cli/invocation.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace retrylab::cli {
namespace {

bool needs_quotes(std::string_view argument) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=,+@%^{}";
  return argument.empty() || argument.find_first_not_of(kPlain) != std::string_view::npos;
}

// $'...', in which a terminal and a line see no control characters.
std::string escaped(std::string_view argument) {
  std::string text = "$'";
  for (const char letter : argument) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '\n') {
      text += "\\n";
    } else if (letter == '\t') {
      text += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      if (letter == '\'' || letter == '\\') text += '\\';
      text += letter;
    }
  }
  return text + "'";
}

std::string in_quotes(std::string_view argument) {
  const auto is_control = [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte < 0x20 || byte == 0x7F;
  };
  if (std::ranges::any_of(argument, is_control)) return escaped(argument);
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
