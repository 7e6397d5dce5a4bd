// SPDX-License-Identifier: MIT
// Why no route matched: the answer to the most frequent question of a first user.
#include <algorithm>

#include <fmt/format.h>

#include "server/engine/path.h"
#include "server/engine/route_table.h"

namespace retrylab::engine {
namespace {

using scenario::Condition;

bool method_fits(const scenario::Match& match, const Request& request) {
  return match.method.empty() || match.method == request.method();
}

std::string failed_condition(const scenario::Match& match, const Request& request) {
  for (const Condition& one : match.headers) {
    if (header_holds(one, request)) continue;
    const auto found = request.header(one.name);
    return why_not("header", one, found ? std::optional(std::string(*found)) : std::nullopt);
  }
  for (const Condition& one : match.query) {
    if (!query_holds(one, request)) return why_not("query", one, request.query_value(one.name));
  }
  for (const Condition& one : match.body) {
    if (!body_holds(one, request)) return why_not("body", one, request.body_member(one.name));
  }
  return {};
}

// 0 only a condition, 1 only the method; then by segments that differ, half a step for the method.
int distance_of(const scenario::Match& match, const Request& request) {
  const int method = method_fits(match, request) ? 0 : 1;
  const auto differing = segments_differing(match.path, request.path());
  if (!differing) return 6 + method;
  if (*differing == 0) return method;
  return (*differing == 1 ? 2 : 4) + method;
}

std::string why_missed(const scenario::Match& match, const Request& request) {
  const bool fits = method_fits(match, request);
  if (segments_differing(match.path, request.path()) == std::size_t{0}) {
    return fits ? failed_condition(match, request)
                : fmt::format("the method is {}", request.method());
  }
  std::string why = fmt::format("the path is {}", request.path().substr(0, 200));
  if (!fits) why += fmt::format(" and the method {}", request.method());
  return why;
}

}  // namespace

std::vector<std::string> RouteTable::near_misses(const Request& request) const {
  constexpr std::size_t kMost = 5;
  std::vector<std::pair<int, std::size_t>> nearest;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    nearest.emplace_back(distance_of(routes_[i].on, request), i);
  }
  const auto kept = std::min(kMost, nearest.size());
  std::ranges::partial_sort(nearest, nearest.begin() + static_cast<std::ptrdiff_t>(kept));
  nearest.resize(kept);
  std::vector<std::string> texts;
  for (const auto& [distance, index] : nearest) {
    const scenario::Match& match = routes_[index].on;
    texts.push_back(fmt::format("{}: {}", match.text, why_missed(match, request)));
  }
  return texts;
}

}  // namespace retrylab::engine
