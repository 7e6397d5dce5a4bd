// SPDX-License-Identifier: MIT
#include "server/scenario/json/mistakes.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace retrylab::scenario::json {

void Mistakes::add(Place place, std::string pointer, std::string message) {
  mistakes_.push_back({place.line, place.column, std::move(pointer), std::move(message)});
}

void Mistakes::add(const Node& node, std::string message) {
  add(node.place, node.pointer, std::move(message));
}

bool Mistakes::any_below(std::string_view pointer) const {
  return std::ranges::any_of(mistakes_, [&](const Mistake& mistake) {
    const std::string_view at = mistake.pointer;
    return at.starts_with(pointer) && (at.size() == pointer.size() || at[pointer.size()] == '/');
  });
}

std::vector<Mistake> Mistakes::sorted() const {
  std::vector<Mistake> sorted = mistakes_;
  std::ranges::stable_sort(sorted, [](const Mistake& left, const Mistake& right) {
    return std::tie(left.line, left.column) < std::tie(right.line, right.column);
  });
  return sorted;
}

}  // namespace retrylab::scenario::json
