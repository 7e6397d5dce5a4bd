// SPDX-License-Identifier: MIT
#include "server/control/value_text.h"

#include <cstddef>

namespace retrylab::control {
namespace {

std::size_t offset_of(std::string_view text, scenario::json::Place place) {
  std::size_t at = 0;
  for (int line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
  return at + static_cast<std::size_t>(place.column) - 1;
}

// Behind the string that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

}  // namespace

std::string_view value_text(std::string_view text, scenario::json::Place place) {
  const std::size_t from = offset_of(text, place);
  int depth = 0;
  for (std::size_t at = from; at < text.size();) {
    const char letter = text[at];
    if (letter == '"') {
      at = behind_string(text, at);
      continue;
    }
    ++at;
    if (letter == '{' || letter == '[') ++depth;
    if ((letter == '}' || letter == ']') && --depth == 0) return text.substr(from, at - from);
  }
  return text.substr(from);
}

}  // namespace retrylab::control
