// SPDX-License-Identifier: MIT
// "on": "POST /v1/payments/{id}", or an object that also matches headers, query and body members.
// The method "*" is any.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

using Kind = PathSegment::Kind;

std::optional<std::string> read_method(const Node& node, std::string_view text,
                                       Mistakes& mistakes) {
  if (text == "*") return "";
  const bool has_lower = std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  if (json::is_token(text) && !has_lower) return std::string(text);
  mistakes.add(node, fmt::format("{} is not a method: write it in capitals, such as \"POST\", or "
                                 "\"*\" for any",
                                 json::quote(text)));
  return std::nullopt;
}

std::optional<Match> read_short_form(const Node& node, Mistakes& mistakes) {
  const std::string_view text = node.text;
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) {
    json::expected(node, "a method and a path, such as \"POST /v1/payments\"", mistakes);
    return std::nullopt;
  }
  auto method = read_method(node, text.substr(0, blank), mistakes);
  auto path = read_path(node, text.substr(blank + 1), mistakes);
  if (!method || !path) return std::nullopt;
  Match match;
  match.method = std::move(*method);
  match.path = std::move(*path);
  match.text = text;
  return match;
}

void append_conditions(std::string& text, std::string_view kind,
                       const std::vector<Condition>& conditions) {
  for (const Condition& condition : conditions) {
    text += text.empty() ? "" : ", ";
    switch (condition.test) {
      case Condition::Test::equals:
        text += fmt::format("{} {} = {}", kind, condition.name, condition.value);
        break;
      case Condition::Test::present:
        text += fmt::format("{} {}", kind, condition.name);
        break;
      case Condition::Test::absent:
        text += fmt::format("no {} {}", kind, condition.name);
        break;
    }
  }
}

// "POST /v1/payments [header X-Tenant = acme, query test]".
std::string describe(const Match& match, std::string_view path) {
  std::string conditions;
  append_conditions(conditions, "header", match.headers);
  append_conditions(conditions, "query", match.query);
  append_conditions(conditions, "body", match.body);
  return fmt::format("{} {}{}", match.method.empty() ? "*" : match.method, path,
                     conditions.empty() ? "" : fmt::format(" [{}]", conditions));
}

std::optional<Match> read_object_form(const Node& node, Mistakes& mistakes) {
  ObjectReader reader(node, "a match", mistakes);
  Match match;
  bool good = true;
  std::string method = "*";
  std::string path;
  reader.optional("method", method, json::read_string);
  reader.required("path", path, json::read_string);
  if (const Node* member = reader.optional("method")) {
    const auto read = read_method(*member, method, mistakes);
    good = read.has_value();
    match.method = read.value_or("");
  }
  if (const Node* member = reader.optional("path"); member != nullptr && !path.empty()) {
    match.path = read_path(*member, path, mistakes).value_or(std::vector<PathSegment>{});
  }
  const auto conditions = [&](ConditionKind kind) {
    return [kind](const Node& part, Mistakes& all) { return read_conditions(part, kind, all); };
  };
  reader.optional("headers", match.headers, conditions(ConditionKind::header));
  reader.optional("query", match.query, conditions(ConditionKind::query));
  reader.optional("body", match.body, conditions(ConditionKind::body));
  match.text = describe(match, path);
  if (!good || match.path.empty()) return std::nullopt;
  return match;
}

}  // namespace

std::optional<Match> read_match(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string) return read_short_form(node, mistakes);
  if (node.kind == Node::Kind::object) return read_object_form(node, mistakes);
  json::expected(node,
                 "a method and a path, such as \"POST /v1/payments\", or an object with "
                 "\"path\"",
                 mistakes);
  return std::nullopt;
}

bool has_parameter(const Match& match, std::string_view name) {
  return std::ranges::any_of(match.path, [&](const PathSegment& segment) {
    return segment.kind != Kind::literal && segment.text == name;
  });
}

bool overlap(const Match& left, const Match& right) {
  if (!left.method.empty() && !right.method.empty() && left.method != right.method) return false;
  for (std::size_t i = 0;; ++i) {
    const bool left_ends = i == left.path.size();
    const bool right_ends = i == right.path.size();
    if (left_ends || right_ends) return left_ends && right_ends;
    const PathSegment& a = left.path[i];
    const PathSegment& b = right.path[i];
    if (a.kind == Kind::rest || b.kind == Kind::rest) return true;
    if (a.kind == Kind::literal && b.kind == Kind::literal && a.text != b.text) return false;
  }
}

std::string shape(const Match& match) {
  std::string path;
  for (const PathSegment& segment : match.path) {
    path += '/';
    if (segment.kind == Kind::literal) path += segment.text;
    if (segment.kind == Kind::parameter) path += "{}";
    if (segment.kind == Kind::rest) path += "{...}";
  }
  return describe(match, path);
}

}  // namespace retrylab::scenario::decode
