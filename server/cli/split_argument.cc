// SPDX-License-Identifier: MIT
#include "server/cli/split_argument.h"

namespace retrylab::cli {

std::vector<std::string> split_argument(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '"') quoted = !quoted;
    if (!quoted && (letter == '{' || letter == '[')) ++depth;
    if (!quoted && (letter == '}' || letter == ']')) --depth;
    if (letter == separator && depth == 0 && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

}  // namespace retrylab::cli
