// SPDX-License-Identifier: MIT
#include "server/engine/key_syntax.h"

namespace retrylab::engine {

bool is_quoted_key(std::string_view value) {
  if (value.size() < 3 || value.front() != '"' || value.back() != '"') return false;
  const std::string_view inside = value.substr(1, value.size() - 2);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const char letter = inside[i];
    if (letter < 0x20 || letter > 0x7e || letter == '"') return false;
    if (letter != '\\') continue;
    if (++i == inside.size() || (inside[i] != '"' && inside[i] != '\\')) return false;
  }
  return true;
}

}  // namespace retrylab::engine
