// SPDX-License-Identifier: MIT
#include "bench/load/quantiles.h"

#include <algorithm>
#include <cstddef>

namespace retrylab::load {

nlohmann::json quantiles_us(std::vector<Nanos> samples, std::size_t all) {
  std::sort(samples.begin(), samples.end());
  const auto at_most = [&](std::size_t per_thousand) -> nlohmann::json {
    const std::size_t rank = (all * per_thousand + 999) / 1000;
    if (rank == 0 || rank > samples.size()) return nullptr;
    return static_cast<double>(samples[rank - 1]) / kMicrosecond;
  };
  return {{"p50", at_most(500)},
          {"p90", at_most(900)},
          {"p99", at_most(990)},
          {"p999", at_most(999)},
          {"max", at_most(1000)}};
}

}  // namespace retrylab::load
