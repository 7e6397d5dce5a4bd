// SPDX-License-Identifier: MIT
#include "server/engine/route_table.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>

#include "server/engine/path.h"

namespace retrylab::engine {
namespace {

Held route_holds(const scenario::Match& match, const Request& request) {
  if (!match.method.empty() && match.method != request.method()) return Held::no;
  if (!headers_hold(match.headers, request)) return Held::no;
  if (!queries_hold(match.query, request)) return Held::no;
  return bodies_hold(match.body, request);
}

std::size_t hash_of(std::string_view path) {
  return std::hash<std::string_view>()(path);
}

// Two ascending lists of indices as one.
class Merged {
 public:
  Merged(std::span<const std::size_t> left, std::span<const std::size_t> right)
      : left_(left), right_(right) {}

  bool empty() const { return left_.empty() && right_.empty(); }
  // The smaller head; `from_right` says which list had it.
  std::size_t next(bool& from_right) {
    from_right = left_.empty() || (!right_.empty() && right_.front() < left_.front());
    auto& list = from_right ? right_ : left_;
    const std::size_t index = list.front();
    list = list.subspan(1);
    return index;
  }

 private:
  std::span<const std::size_t> left_;
  std::span<const std::size_t> right_;
};

}  // namespace

RouteTable::RouteTable(const std::vector<scenario::Route>& routes)
    : routes_(routes), slots_(std::bit_ceil(2 * routes.size() + 1)) {
  for (std::size_t i = 0; i < routes.size(); ++i) {
    if (auto path = exact_path(routes[i].on.path)) {
      add_exact(*std::move(path), i);
    } else {
      patterns_.push_back(i);
    }
  }
}

void RouteTable::add_exact(std::string path, std::size_t route) {
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = hash_of(path) & last;
  while (slots_[slot] != 0 && exact_[slots_[slot] - 1].path != path) slot = (slot + 1) & last;
  if (slots_[slot] != 0) {
    Exact& known = exact_[slots_[slot] - 1];
    if (known.others < 0) {
      known.others = static_cast<std::int32_t>(others_.size());
      others_.push_back({known.first});
    }
    others_[static_cast<std::size_t>(known.others)].push_back(route);
    return;
  }
  const scenario::Match& match = routes_[route].on;
  Exact& made = exact_.emplace_back();
  slots_[slot] = static_cast<std::uint32_t>(exact_.size());
  made.path = std::move(path);
  made.first = static_cast<std::uint32_t>(route);
  made.is_by_method = !match.method.empty() && match.method.size() < made.method.size() &&
                      match.headers.empty() && match.query.empty() && match.body.empty();
  if (made.is_by_method) std::ranges::copy(match.method, made.method.begin());
}

const RouteTable::Exact* RouteTable::find_exact(std::string_view path) const {
  const std::size_t last = slots_.size() - 1;
  for (std::size_t slot = hash_of(path) & last; slots_[slot] != 0; slot = (slot + 1) & last) {
    const Exact& one = exact_[slots_[slot] - 1];
    if (one.path == path) return &one;
  }
  return nullptr;
}

RouteFound RouteTable::find(const Request& request) const {
  const Exact* const exact = find_exact(request.path());
  std::span<const std::size_t> of_path;
  std::size_t first = 0;
  if (exact != nullptr) {
    first = exact->first;
    const bool comes_first = patterns_.empty() || first < patterns_.front();
    if (comes_first && exact->is_by_method && request.method() == exact->method.data()) {
      return {first, false};
    }
    of_path = exact->others < 0 ? std::span<const std::size_t>(&first, 1)
                                : others_[static_cast<std::size_t>(exact->others)];
  }
  Merged candidates(of_path, patterns_);
  while (!candidates.empty()) {
    bool is_pattern = false;
    const std::size_t index = candidates.next(is_pattern);
    const scenario::Match& match = routes_[index].on;
    if (is_pattern && !path_matches(match.path, request.path())) continue;
    switch (route_holds(match, request)) {
      case Held::yes:
        return {index, false};
      case Held::needs_body:
        return {std::nullopt, true};
      case Held::no:
        break;
    }
  }
  return {};
}

}  // namespace retrylab::engine
