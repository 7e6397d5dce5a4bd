// SPDX-License-Identifier: MIT
#include "server/engine/route_table.h"

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

RouteTable::RouteTable(const std::vector<scenario::Route>& routes) : routes_(routes) {
  for (std::size_t i = 0; i < routes.size(); ++i) {
    if (auto path = exact_path(routes[i].on.path)) {
      exact_[*std::move(path)].push_back(i);
    } else {
      patterns_.push_back(i);
    }
  }
}

RouteFound RouteTable::find(const Request& request) const {
  const auto exact = exact_.find(request.path());
  Merged candidates(exact == exact_.end() ? std::span<const std::size_t>()
                                          : std::span<const std::size_t>(exact->second),
                    patterns_);
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
