// SPDX-License-Identifier: MIT
// Where the seeds of runs come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace retrylab::cli {

// The flag's, else the scenario's, else a fresh one, short enough to be typed again.
std::uint64_t choose_seed(std::optional<std::uint64_t> flag, std::optional<std::uint64_t> scenario);

// The seed of run number `number` (1-based): the first run has the seed itself, so that
// `--seed` with a seed from any run's report repeats that run. At most 53 bits, which every JSON
// reader keeps.
std::uint64_t run_seed(std::uint64_t seed, std::uint32_t number);

// The idempotency key that a client is given: a UUID of its own for each client of each seed.
std::string client_key(std::uint64_t seed, std::uint64_t client);

}  // namespace retrylab::cli
