// SPDX-License-Identifier: MIT
// "count_by": whose attempts share one position in the script.
#include <array>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

using Kind = CountBy::Kind;

constexpr std::array<Word<Kind>, 4> kPlain{{{"route", Kind::route},
                                            {"operation", Kind::operation},
                                            {"connection", Kind::connection},
                                            {"client", Kind::client}}};

constexpr std::array<std::string_view, 6> kKnown{"route",  "operation",   "connection",
                                                 "client", "header:NAME", "path:NAME"};

}  // namespace

std::optional<CountBy> read_count_by(const Node& node, const Match& on, Mistakes& mistakes) {
  const std::string_view text =
      node.kind == Node::Kind::string ? std::string_view(node.text) : std::string_view();
  for (const auto& entry : kPlain) {
    if (entry.word == text) return CountBy{entry.value, ""};
  }
  const std::string name(text.substr(std::min(text.find(':') + 1, text.size())));
  if (text.starts_with("header:") && json::is_token(name)) return CountBy{Kind::header, name};
  if (!text.starts_with("path:") || name.empty()) {
    json::unknown_word(node, kKnown, mistakes);
    return std::nullopt;
  }
  if (!has_parameter(on, name) && !on.path.empty()) {
    mistakes.add(node, fmt::format("the path of this route has no {{{}}}", name));
  }
  return CountBy{Kind::path, name};
}

}  // namespace retrylab::scenario::decode
