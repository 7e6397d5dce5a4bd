// SPDX-License-Identifier: MIT
// Carries out a sim::Client over real sockets: what the simulator does in virtual time, here with
// blocking calls, one thread per client and the clocks of this host.
#pragma once

#include <cstdint>
#include <string>

#include "server/sim/virtual_run.h"

namespace retrylab::zoo {

// Until the client is done. A client that hangs comes back as such, without waiting. `host` is an
// IPv4 address.
sim::Done drive(sim::Client& client, const std::string& host, std::uint16_t port);

}  // namespace retrylab::zoo
