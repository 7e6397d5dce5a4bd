// SPDX-License-Identifier: MIT
// How many requests per second does a server answer, one outstanding per connection? For what wrk
// cannot send: many paths, operations whose attempts follow each other, a connection per request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/load/clock.h"

namespace retrylab::load {

struct ThroughputOptions {
  std::uint16_t port = 0;
  std::string method = "GET";
  std::string path;       // "{}" in it becomes the number of the path
  std::size_t paths = 1;  // requests go to path 0, 1, ... in turn
  std::string body;
  std::vector<int> expect{200};  // the statuses of one operation, in this order
  bool key = false;              // an Idempotency-Key per operation
  bool new_connections = false;  // one per request, closed by the server
  std::size_t connections = 64;
  Nanos duration = 0;          // ends after this time,
  std::uint64_t requests = 0;  // or after this many requests, if not 0
};

// The result: requests, seconds, per_second, latency_us, and `wrong`: answers of another status
// than expected, and connections that ended in the middle of an exchange.
nlohmann::json measure_throughput(const ThroughputOptions& options);

}  // namespace retrylab::load
