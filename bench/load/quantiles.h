// SPDX-License-Identifier: MIT
// What became of many waits, as exact order statistics.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "bench/load/clock.h"

namespace retrylab::load {

// {"p50": .., "p90": .., "p99": .., "p999": .., "max": .., "mean": ..} in microseconds. A
// percentile is the smallest value that at least that share of the samples does not exceed.
// Empty samples: null.
nlohmann::json quantiles_us(std::vector<Nanos> samples);

}  // namespace retrylab::load
