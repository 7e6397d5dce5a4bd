// SPDX-License-Identifier: MIT
// "routes": the first that matches answers, so what stands earlier decides what a later one can do.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

class EarlierRoutes {
 public:
  // Adds a mistake when an earlier route takes all requests of this one.
  void check_reachable(const Node& node, const Match& on, std::size_t number, Mistakes& mistakes) {
    const auto [first, is_new] = number_of_.emplace(shape(on), number);
    if (is_new) return;
    mistakes.add(node, fmt::format("\"{}\" is the same as route {} of the file, which is matched "
                                   "first; this one is never reached",
                                   on.text, first->second));
  }

  // Why the body of this route's requests is read before the route is known, or "".
  std::string_view needs_body(const Match& on) const {
    const bool any =
        std::ranges::any_of(with_body_, [&](const Match& earlier) { return overlap(earlier, on); });
    return any ? "an earlier route looks at the body of the same requests" : "";
  }

  void add(const Match& on) {
    if (!on.body.empty()) with_body_.push_back(on);
  }

 private:
  std::map<std::string, std::size_t> number_of_;  // by shape
  std::vector<Match> with_body_;
};

// `on` of a route that may not be readable: no mistakes here, read_route adds them.
Match peek_match(const Node& node) {
  Mistakes ignored;
  const Node* on = node.find("on");
  return on == nullptr ? Match{} : read_match(*on, ignored).value_or(Match{});
}

}  // namespace

std::optional<std::vector<Route>> read_routes(const Node& node, const OperationBy& operation,
                                              const Context& context) {
  const auto* items = json::read_list(node, 1, "route", context.mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<Route> routes;
  EarlierRoutes earlier;
  for (const Node& item : *items) {
    const Match on = peek_match(item);
    if (!on.path.empty()) earlier.check_reachable(item, on, routes.size(), context.mistakes);
    const RouteSite site{operation, earlier.needs_body(on)};
    routes.push_back(read_route(item, site, context).value_or(Route{}));
    earlier.add(on);
  }
  return routes;
}

}  // namespace retrylab::scenario::decode
