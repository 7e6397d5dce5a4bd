// SPDX-License-Identifier: MIT
// The server's end of one virtual connection.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "server/sim/server_side.h"

namespace retrylab::sim {

struct ServerSide::Line {
  struct Arrival {
    std::shared_ptr<const VirtualRequest> request;
    Instant at;
  };

  wire::ConnectionId id = 0;
  std::uint32_t listener = 0;
  Peer* peer = nullptr;
  bool open = true;
  std::vector<Arrival> arrivals;  // requests not taken up yet; one at most, mostly
  Arrival current;                // the request being served
  std::uint32_t requests = 0;
  std::uint64_t bytes_received = 0;

  std::shared_ptr<const wire::Plan> plan;
  std::size_t next = 0;  // action
  bool in_plan = false;
  bool own_plan = false;           // the plan is the connection's own, and not reported yet
  bool yields_to_request = false;  // idles: a request that arrives ends the plan
  bool awaits_request = false;     // ReadTo request_start
  wire::AttemptId attempt = 0;     // 0: a plan of the connection's own
  wire::Delivery delivery;
  std::optional<Instant> since;  // when the action began to wait
  std::size_t written = 0;       // of a paced write
  std::uint64_t ticket = 0;      // timers set before it changed are void

  void begin_action() {
    since.reset();
    written = 0;
    ++ticket;
  }
};

}  // namespace retrylab::sim
