// SPDX-License-Identifier: MIT
// Why no route matched: the answer to the most frequent question of a first user.
#include <algorithm>

#include <fmt/format.h>

#include "server/engine/path.h"
#include "server/engine/route_table.h"

namespace retrylab::engine {
namespace {

using scenario::Condition;

struct Miss {
  int distance = 0;  // smaller is nearer
  std::string why;
};

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

// Distances: 0 only a condition, 1 only the method, 2 one segment, 3 more, 4 another length.
Miss miss_of(const scenario::Match& match, const Request& request) {
  const bool method_fits = match.method.empty() || match.method == request.method();
  const auto differing = segments_differing(match.path, request.path());
  if (differing == std::size_t{0}) {
    if (!method_fits) return {1, fmt::format("the method is {}", request.method())};
    return {0, failed_condition(match, request)};
  }
  const int further = method_fits ? 0 : 1;
  std::string why = fmt::format("the path is {}", request.path().substr(0, 200));
  if (!method_fits) why += fmt::format(" and the method {}", request.method());
  if (!differing) return {6 + further, std::move(why)};
  return {(*differing == 1 ? 2 : 4) + further, std::move(why)};
}

}  // namespace

std::vector<std::string> RouteTable::near_misses(const Request& request) const {
  constexpr std::size_t kMost = 5;
  std::vector<std::pair<int, std::size_t>> nearest;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    nearest.emplace_back(miss_of(routes_[i].on, request).distance, i);
  }
  const auto kept = std::min(kMost, nearest.size());
  std::ranges::partial_sort(nearest, nearest.begin() + static_cast<std::ptrdiff_t>(kept));
  nearest.resize(kept);
  std::vector<std::string> texts;
  for (const auto& [distance, index] : nearest) {
    texts.push_back(
        fmt::format("{}: {}", routes_[index].on.text, miss_of(routes_[index].on, request).why));
  }
  return texts;
}

}  // namespace retrylab::engine
