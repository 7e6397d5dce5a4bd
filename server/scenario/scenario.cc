// SPDX-License-Identifier: MIT
#include "server/scenario/scenario.h"

#include <algorithm>

namespace retrylab::scenario {

bool Template::is_literal() const {
  return std::ranges::all_of(pieces, [](const TemplatePiece& piece) {
    return std::holds_alternative<std::string>(piece);
  });
}

std::string Template::literal() const {
  std::string text;
  for (const TemplatePiece& piece : pieces) text += std::get<std::string>(piece);
  return text;
}

std::optional<std::uint64_t> Body::size() const {
  if (bytes) return bytes->size();
  if (!text) return 0;
  if (!text->is_literal()) return std::nullopt;
  return text->literal().size();
}

}  // namespace retrylab::scenario
