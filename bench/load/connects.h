// SPDX-License-Identifier: MIT
// How long does the slowest of many connects at one instant take?
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace retrylab::load {

struct ConnectsOptions {
  std::uint16_t port = 0;
  std::string path;
  std::size_t clients = 0;
};

// All clients call connect() in one go and send a request as soon as they are connected. The
// result: clients, connected, answered (200), and connect_us and answer_us, the time from a
// client's connect() to its connection and to its complete answer. A backlog that is too short
// shows as a retransmitted SYN of 1 s, or as a request that is only heard when sent again.
nlohmann::json measure_connects(const ConnectsOptions& options);

}  // namespace retrylab::load
