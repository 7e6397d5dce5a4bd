// SPDX-License-Identifier: MIT
// What became of many waits, as exact order statistics.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/load/clock.h"

namespace retrylab::load {

// {"p50": .., "p90": .., "p99": .., "p999": .., "max": ..} in microseconds. A
// percentile is the smallest value that at least that share of `all` waits does not exceed. Waits
// without a sample never ended: a percentile that falls among them is null.
nlohmann::json quantiles_us(std::vector<Nanos> samples, std::size_t all);

}  // namespace retrylab::load
