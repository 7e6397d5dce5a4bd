// SPDX-License-Identifier: MIT
// Which route a request belongs to: the first in the file whose whole match holds. Templates
// without parameters are found by a hash of the path, so that ten thousand of them cost what one
// does: two looks into memory that no cache holds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  static constexpr std::size_t kMethodMax = 16;

  // The routes of one path without parameters, in one line of the cache.
  struct alignas(64) Exact {
    std::string path;
    std::uint32_t first = 0;                   // route
    std::int32_t others = -1;                  // where they stand in others_, the first among them
    bool is_by_method = false;                 // nothing but its method has to match
    std::array<char, kMethodMax> method = {};  // of the first
  };

  void add_exact(std::string path, std::size_t route);
  const Exact* find_exact(std::string_view path) const;

  const std::vector<scenario::Route>& routes_;
  std::vector<Exact> exact_;
  std::vector<std::uint32_t> slots_;  // of exact_, from 1, by the hash of the path; 0: free
  std::vector<std::vector<std::size_t>> others_;
  std::vector<std::size_t> patterns_;  // in the order of the file
};

}  // namespace retrylab::engine
