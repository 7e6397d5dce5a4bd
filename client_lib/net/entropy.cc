// SPDX-License-Identifier: MIT
#include "client_lib/net/entropy.h"

#include <sys/random.h>
#include <unistd.h>

#include <cstring>

#include "client_lib/base/check.h"
#include "client_lib/base/random.h"

namespace retrylab {

std::array<std::uint8_t, 16> random_bytes() {
  std::array<std::uint8_t, 16> bytes{};
  // Up to 256 bytes come whole once the pool is ready (getrandom(2)).
  CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return bytes;
}

std::uint64_t random_seed() {
  const std::array<std::uint8_t, 16> bytes = random_bytes();
  std::uint64_t seed = 0;
  std::memcpy(&seed, bytes.data(), sizeof seed);
  return Random::stream(seed, "process", static_cast<std::uint64_t>(::getpid())).next();
}

}  // namespace retrylab
