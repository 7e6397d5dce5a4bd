// SPDX-License-Identifier: MIT
#include "server/cli/seeds.h"

#include <array>
#include <random>

#include "client_lib/base/random.h"
#include "client_lib/retry/idempotency_key.h"

namespace retrylab::cli {

std::uint64_t choose_seed(std::optional<std::uint64_t> flag,
                          std::optional<std::uint64_t> scenario) {
  if (flag) return *flag;
  if (scenario) return *scenario;
  return std::random_device{}() & 0xFFFFFFU;
}

std::uint64_t run_seed(std::uint64_t seed, std::uint32_t number) {
  if (number == 1) return seed;
  return Random::stream(seed, "run", number).next() >> 11U;
}

std::string client_key(std::uint64_t seed, std::uint64_t client) {
  Random random = Random::stream(seed, "key", client);
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
  return uuid_v4(bytes);
}

}  // namespace retrylab::cli
