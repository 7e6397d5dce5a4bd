// SPDX-License-Identifier: MIT
// {"X-Tenant": "acme", "X-Debug": {"present": false}}; body members are named by JSON pointer and
// compared with any scalar: {"/amount": 100}.
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

std::string_view name_problem(std::string_view name, ConditionKind kind) {
  if (kind == ConditionKind::header && !json::is_token(name)) return "is not a header name";
  if (kind == ConditionKind::query && name.empty()) return "is not the name of a query value";
  if (kind == ConditionKind::body && !is_json_pointer(name)) {
    return "is not a JSON pointer such as \"/amount\"";
  }
  return "";
}

bool read_presence(const Node& node, Condition& condition, Mistakes& mistakes) {
  ObjectReader reader(node, "a condition", mistakes);
  bool present = true;
  reader.required("present", present, json::read_boolean);
  condition.test = present ? Condition::Test::present : Condition::Test::absent;
  return true;
}

bool read_value(const Node& node, ConditionKind kind, Condition& condition, Mistakes& mistakes) {
  if (node.kind == Node::Kind::object) return read_presence(node, condition, mistakes);
  const bool is_scalar = node.kind != Node::Kind::array;
  if (kind == ConditionKind::body && is_scalar) {
    condition.value = json::compact(node);
    return true;
  }
  if (kind != ConditionKind::body && node.kind == Node::Kind::string) {
    condition.value = node.text;
    return true;
  }
  json::expected(
      node,
      kind == ConditionKind::body
          ? "a string, number, true, false or null to compare with, or {\"present\": true}"
          : "a string to compare with, or {\"present\": true}",
      mistakes);
  return false;
}

}  // namespace

bool is_json_pointer(std::string_view text) {
  if (!text.starts_with('/')) return false;
  for (std::size_t i = text.find('~'); i != std::string_view::npos; i = text.find('~', i + 1)) {
    if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) return false;
  }
  return true;
}

std::optional<std::vector<Condition>> read_conditions(const Node& node, ConditionKind kind,
                                                      Mistakes& mistakes) {
  if (node.kind != Node::Kind::object || node.members.empty()) {
    json::expected(node, "an object of names and the values they must have", mistakes);
    return std::nullopt;
  }
  std::vector<Condition> conditions;
  for (const json::Member& member : node.members) {
    const std::string_view problem = name_problem(member.name, kind);
    if (!problem.empty()) {
      mistakes.add(member.place, member.value.pointer,
                   fmt::format("{} {}", json::quote(member.name), problem));
    }
    Condition condition;
    condition.name = member.name;
    const bool good = read_value(member.value, kind, condition, mistakes);
    if (good && problem.empty()) conditions.push_back(std::move(condition));
  }
  return conditions;
}

}  // namespace retrylab::scenario::decode
