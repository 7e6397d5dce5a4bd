// SPDX-License-Identifier: MIT
// How late (or early) are answers that the server was told to delay?
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/load/clock.h"

namespace retrylab::load {

struct DelaysOptions {
  std::uint16_t port = 0;
  std::string path;
  std::size_t clients = 0;
  Nanos delay = 0;     // what the server was told
  Nanos spread = 0;    // the first and the last request are this far apart; 0: all at one instant
  Nanos patience = 0;  // an answer later than this is lost
};

// Each client has its connection before the first request is sent, and sends one. The result:
//   clients, served (complete 200), lost, refused (lost by another status, a close, no connection)
//   late_us    first byte's arrival - (the clock after sending + delay), over all clients
//   smallest_lateness_us
//              the smallest first byte's arrival - (the clock before sending + delay). The server
//              cannot have seen the request before that clock reading, so a negative value
//              proves that it answered early.
//   user_stamped  arrivals without the kernel's stamp; clock_drift_us  see ArrivalClock::drift
nlohmann::json measure_delays(const DelaysOptions& options);

}  // namespace retrylab::load
