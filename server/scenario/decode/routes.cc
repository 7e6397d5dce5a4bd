// SPDX-License-Identifier: MIT
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

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
  for (const Node& item : *items) {
    const Match on = peek_match(item);
    RouteSite site{operation, ""};
    for (std::size_t i = 0; i < routes.size() && !on.path.empty(); ++i) {
      const Match& earlier = routes[i].on;
      if (same_requests(earlier, on)) {
        context.mistakes.add(item, fmt::format("\"{}\" is the same as route {} of the file, which "
                                               "is matched first; this one is never reached",
                                               on.text, i));
      }
      if (!earlier.body.empty() && overlap(earlier, on)) {
        site.needs_body = "an earlier route looks at the body of the same requests";
      }
    }
    routes.push_back(read_route(item, site, context).value_or(Route{}));
  }
  return routes;
}

}  // namespace retrylab::scenario::decode
