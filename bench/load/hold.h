// SPDX-License-Identifier: MIT
// Keeps many connections open while someone else looks at the server's memory or processor time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace retrylab::load {

struct HoldOptions {
  std::uint16_t port = 0;
  std::string path;
  std::size_t clients = 0;
  bool answered = false;  // true: each gets its answer first and then idles; false: none comes
};

// Prints {"event": "holding", "open": n} when all that can have sent their request (and, if
// `answered`, been answered), then holds until standard input ends. The result:
//   clients, open (at the beginning), lost (closed by the server, or, when not `answered`,
//   answered, by the end)
nlohmann::json hold(const HoldOptions& options);

}  // namespace retrylab::load
