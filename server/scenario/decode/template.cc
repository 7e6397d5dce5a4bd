// SPDX-License-Identifier: MIT
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

void append(Template& text, std::string_view literal) {
  if (literal.empty()) return;
  if (!text.pieces.empty()) {
    if (auto* last = std::get_if<std::string>(&text.pieces.back())) {
      last->append(literal);
      return;
    }
  }
  text.pieces.emplace_back(std::string(literal));
}

// `literal` as it stands inside a JSON string.
std::string escaped(std::string_view literal) {
  const std::string quoted = json::quote(literal);
  return quoted.substr(1, quoted.size() - 2);
}

// `string` is the node's own, or the name of the member that it is.
void append_json_string(Template& text, const Node& node, std::string_view string,
                        Mistakes& mistakes) {
  append(text, "\"");
  for (TemplatePiece& piece : split_template(node, string, mistakes).pieces) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      append(text, escaped(*literal));
    } else {
      text.pieces.push_back(std::move(piece));
    }
  }
  append(text, "\"");
}

void append_json(Template& text, const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string) return append_json_string(text, node, node.text, mistakes);
  if (node.kind == Node::Kind::array) {
    append(text, "[");
    for (const Node& item : node.items) {
      if (&item != &node.items.front()) append(text, ",");
      append_json(text, item, mistakes);
    }
    return append(text, "]");
  }
  if (node.kind == Node::Kind::object) {
    append(text, "{");
    for (const json::Member& member : node.members) {
      if (&member != &node.members.front()) append(text, ",");
      append_json_string(text, member.value, member.name, mistakes);
      append(text, ":");
      append_json(text, member.value, mistakes);
    }
    return append(text, "}");
  }
  append(text, json::compact(node));
}

}  // namespace

Template split_template(const Node& node, std::string_view text, Mistakes& mistakes) {
  Template result;
  while (true) {
    const std::size_t open = std::min(text.find("{{"), text.size());
    append(result, text.substr(0, open));
    if (open == text.size()) return result;
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) {
      mistakes.add(node,
                   "\"{{\" begins a placeholder, but no \"}}\" ends it; text with braces of "
                   "its own goes into a body_file");
      return result;
    }
    const std::string_view name = text.substr(open + 2, close - open - 2);
    if (auto placeholder = read_placeholder(node, name, mistakes)) {
      result.pieces.emplace_back(std::move(*placeholder));
    }
    text.remove_prefix(close + 2);
  }
}

std::optional<Template> read_template(const Node& node, Mistakes& mistakes) {
  const auto text = json::read_string(node, mistakes);
  if (!text) return std::nullopt;
  return split_template(node, *text, mistakes);
}

Template json_template(const Node& node, Mistakes& mistakes) {
  Template text;
  append_json(text, node, mistakes);
  return text;
}

}  // namespace retrylab::scenario::decode
