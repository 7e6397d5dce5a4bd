// SPDX-License-Identifier: MIT
// Opens many connections without testing the server's backlog: a few at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/load/socket.h"

namespace retrylab::load {

// One descriptor per client; closed ones could not connect within `patience`.
std::vector<Descriptor> open_all(std::uint16_t port, std::size_t clients, Nanos patience);

}  // namespace retrylab::load
