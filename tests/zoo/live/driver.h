// SPDX-License-Identifier: MIT
// Carries out a sim::Client over real sockets: what the simulator does in virtual time, here with
// blocking calls, one thread per client and the clocks of this host.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "server/sim/virtual_run.h"

namespace retrylab::zoo {

// What the clients of one program have in common.
struct Program {
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();  // Instant zero
  std::mutex deciding;  // one client decides at a time: they may share a budget
};

// Until the client is done. A client that hangs comes back as such, without waiting. Listens at
// 127.0.0.1.
sim::Done drive(sim::Client& client, Program& program, std::uint16_t port);

}  // namespace retrylab::zoo
