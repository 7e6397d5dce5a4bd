// SPDX-License-Identifier: MIT
#include "bench/load/quantiles.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace retrylab::load {

nlohmann::json quantiles_us(std::vector<Nanos> samples) {
  if (samples.empty()) return nullptr;
  std::sort(samples.begin(), samples.end());
  const auto at_most = [&](std::size_t per_thousand) {
    const std::size_t rank = (samples.size() * per_thousand + 999) / 1000;
    return static_cast<double>(samples[rank - 1]) / kMicrosecond;
  };
  const double sum = static_cast<double>(std::accumulate(samples.begin(), samples.end(), Nanos{0}));
  return {
      {"p50", at_most(500)},  {"p90", at_most(900)},
      {"p99", at_most(990)},  {"p999", at_most(999)},
      {"max", at_most(1000)}, {"mean", sum / static_cast<double>(samples.size()) / kMicrosecond}};
}

}  // namespace retrylab::load
