// SPDX-License-Identifier: MIT
#include "server/sim/network.h"

#include "server/sim/draws.h"

namespace retrylab::sim {

Duration draw_delay(const Network& network, Random& random) {
  switch (network.delay) {
    case Network::Delay::fixed:
      return network.one_way;
    case Network::Delay::normal:
      return draw_normal(network.one_way, network.deviation, random);
    case Network::Delay::exponential:
      return draw_exponential(network.one_way, random);
  }
  return network.one_way;
}

std::optional<Duration> draw_way(const Network& network, Random& random) {
  const Duration delay = draw_delay(network, random);
  if (network.loss.part != 0 && random.chance(network.loss)) return std::nullopt;
  return delay;
}

}  // namespace retrylab::sim
