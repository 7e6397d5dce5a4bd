// SPDX-License-Identifier: MIT
// "operation": what tells the attempts of one operation: {"header": "X-Op-Id"}, {"path": "id"},
// {"query": "op"} or {"body": "/id"}.
#include <algorithm>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

std::optional<std::string> read_pointer(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string && is_json_pointer(node.text)) return node.text;
  json::expected(node, "a JSON pointer such as \"/order/id\"", mistakes);
  return std::nullopt;
}

}  // namespace

std::optional<OperationBy> read_operation(const Node& node, Mistakes& mistakes) {
  using Kind = OperationBy::Kind;
  OperationBy operation;
  ObjectReader reader(node, "\"operation\"", mistakes);
  reader.exclusive({"header", "path", "query", "body"}, "operations are told by one thing");
  const auto part = [&](std::string_view name, Kind kind, auto read) {
    if (reader.optional(name) != nullptr) operation.kind = kind;
    reader.optional(name, operation.name, read);
  };
  part("header", Kind::header, json::read_header_name);
  part("path", Kind::path, json::read_line);
  part("query", Kind::query, json::read_line);
  part("body", Kind::body, read_pointer);
  if (node.kind == Node::Kind::object && operation.kind == Kind::automatic) {
    mistakes.add(node, "\"operation\" needs \"header\", \"path\", \"query\" or \"body\"");
  }
  return operation;
}

void check_operation(const Node& node, const OperationBy& operation,
                     const std::vector<Route>& routes, Mistakes& mistakes) {
  if (operation.kind != OperationBy::Kind::path) return;
  const bool known = std::ranges::any_of(
      routes, [&](const Route& route) { return has_parameter(route.on, operation.name); });
  if (!known) mistakes.add(node, fmt::format("no route has {{{}}} in its path", operation.name));
}

}  // namespace retrylab::scenario::decode
