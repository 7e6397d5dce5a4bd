// SPDX-License-Identifier: MIT
// Which route a request belongs to: the first in the file whose whole match holds. Templates
// without parameters are found by a hash of the path, so that ten thousand of them cost what one
// does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/engine/condition.h"
#include "server/engine/request.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

struct RouteFound {
  std::optional<std::size_t> route;  // index in the file
  bool needs_body = false;           // the decision waits for the body
};

class RouteTable {
 public:
  // `routes` outlives the table.
  explicit RouteTable(const std::vector<scenario::Route>& routes);

  RouteFound find(const Request& request) const;

  // Why the nearest routes missed, nearest first, at most five: "POST /v1/pay: the method is GET".
  std::vector<std::string> near_misses(const Request& request) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  const std::vector<scenario::Route>& routes_;
  std::unordered_map<std::string, std::vector<std::size_t>, Hash, std::equal_to<>> exact_;
  std::vector<std::size_t> patterns_;  // in the order of the file
};

}  // namespace retrylab::engine
