// SPDX-License-Identifier: MIT
// The seed of one client of a herd. RetryClient with it (ClientOptions::seed) draws the same
// waits over sockets: both take operation n's from Random::stream(client_seed, "jitter", n).
#pragma once

#include <cstdint>

#include "client_lib/base/random.h"

namespace retrylab::sim {

inline std::uint64_t client_seed(std::uint64_t seed, std::uint64_t client) {
  return Random::stream(seed, "client", client).next();
}

}  // namespace retrylab::sim
