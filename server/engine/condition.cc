// SPDX-License-Identifier: MIT
#include "server/engine/condition.h"

#include <algorithm>

#include <fmt/format.h>

namespace retrylab::engine {
namespace {

using scenario::Condition;

template <typename Text>
bool holds(const Condition& condition, const std::optional<Text>& found) {
  switch (condition.test) {
    case Condition::Test::equals:
      return found && *found == condition.value;
    case Condition::Test::present:
      return found.has_value();
    case Condition::Test::absent:
      return !found.has_value();
  }
  return false;
}

}  // namespace

bool header_holds(const Condition& condition, const Request& request) {
  return holds(condition, request.header(condition.name));
}

bool query_holds(const Condition& condition, const Request& request) {
  return holds(condition, request.query_value(condition.name));
}

bool body_holds(const Condition& condition, const Request& request) {
  if (condition.test == Condition::Test::equals) {
    return request.body_member_equals(condition.name, condition.value);
  }
  return holds(condition, request.body_member(condition.name));
}

bool headers_hold(std::span<const Condition> conditions, const Request& request) {
  return std::ranges::all_of(conditions,
                             [&](const Condition& one) { return header_holds(one, request); });
}

bool queries_hold(std::span<const Condition> conditions, const Request& request) {
  return std::ranges::all_of(conditions,
                             [&](const Condition& one) { return query_holds(one, request); });
}

Held bodies_hold(std::span<const Condition> conditions, const Request& request) {
  if (conditions.empty()) return Held::yes;
  if (!request.has_body()) return Held::needs_body;
  const bool all = std::ranges::all_of(
      conditions, [&](const Condition& one) { return body_holds(one, request); });
  return all ? Held::yes : Held::no;
}

std::string why_not(std::string_view what, const Condition& condition,
                    const std::optional<std::string>& found) {
  constexpr std::size_t kShown = 80;
  const std::string shown = found ? found->substr(0, kShown) : std::string();
  switch (condition.test) {
    case Condition::Test::equals:
      return found
                 ? fmt::format("{} {} is {}, not {}", what, condition.name, shown, condition.value)
                 : fmt::format("{} {} is missing", what, condition.name);
    case Condition::Test::present:
      return fmt::format("{} {} is missing", what, condition.name);
    case Condition::Test::absent:
      return fmt::format("{} {} is there, and must not be", what, condition.name);
  }
  return {};
}

}  // namespace retrylab::engine
