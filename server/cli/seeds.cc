// SPDX-License-Identifier: MIT
#include "server/cli/seeds.h"

#include <random>

#include "client_lib/base/random.h"

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

}  // namespace retrylab::cli
