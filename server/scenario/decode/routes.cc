// SPDX-License-Identifier: MIT
// "routes": the first that matches answers, so what stands earlier decides what a later one can do.
#include <algorithm>
#include <map>
#include <optional>
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
  void check_reachable(const Node& node, const Match& on, Mistakes& mistakes) const {
    if (const auto same = number_of_.find(shape(on)); same != number_of_.end()) {
      mistakes.add(node, fmt::format("\"{}\" is the same as route {} of the file, which is matched "
                                     "first; this one is never reached",
                                     on.text, same->second));
    } else if (const Earlier* earlier = covering(on)) {
      mistakes.add(node, fmt::format("\"{}\" is never reached: route {} of the file, \"{}\", takes "
                                     "all of its requests; write this one before it",
                                     on.text, earlier->number, earlier->on.text));
    }
  }

  // Why the body of this route's requests is read before the route is known, or "".
  std::string_view needs_body(const Match& on) const {
    const bool any =
        std::ranges::any_of(with_body_, [&](const Match& earlier) { return overlap(earlier, on); });
    return any ? "an earlier route looks at the body of the same requests" : "";
  }

  void add(const Match& on, std::size_t number) {
    if (on.path.empty()) return;
    if (!on.body.empty()) with_body_.push_back(on);
    number_of_.emplace(shape(on), number);
    const auto path = literal_path(on);
    (path ? literal_[*path] : patterns_).push_back({on, number});
  }

 private:
  struct Earlier {
    Match on;
    std::size_t number = 0;
  };

  // "/v1/payments", nothing for a path with parameters.
  static std::optional<std::string> literal_path(const Match& on) {
    std::string path;
    for (const PathSegment& segment : on.path) {
      if (segment.kind != PathSegment::Kind::literal) return std::nullopt;
      path += '/' + segment.text;
    }
    return path;
  }

  const Earlier* covering(const Match& on) const {
    const auto find = [&](const std::vector<Earlier>& earlier) -> const Earlier* {
      const auto found =
          std::ranges::find_if(earlier, [&](const Earlier& one) { return covers(one.on, on); });
      return found == earlier.end() ? nullptr : &*found;
    };
    if (const auto path = literal_path(on)) {
      const auto same = literal_.find(*path);
      const Earlier* found = same == literal_.end() ? nullptr : find(same->second);
      if (found != nullptr) return found;
    }
    return find(patterns_);
  }

  std::map<std::string, std::size_t> number_of_;  // by shape
  std::map<std::string, std::vector<Earlier>> literal_;
  std::vector<Earlier> patterns_;
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
    if (!on.path.empty()) earlier.check_reachable(item, on, context.mistakes);
    const RouteSite site{operation, earlier.needs_body(on)};
    earlier.add(on, routes.size());
    routes.push_back(read_route(item, site, context).value_or(Route{}));
  }
  return routes;
}

}  // namespace retrylab::scenario::decode
