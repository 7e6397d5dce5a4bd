// SPDX-License-Identifier: MIT
#include "server/engine/delay.h"

#include <algorithm>

#include "server/engine/lognormal.h"

namespace retrylab::engine {
namespace {

struct Draw {
  Random& random;

  Duration operator()(const scenario::FixedDelay& delay) const { return delay.time; }
  Duration operator()(const scenario::UniformDelay& delay) const {
    return random.between(delay.min, delay.max);
  }
  Duration operator()(const scenario::LognormalDelay& delay) const {
    return std::min(draw_lognormal(delay.median, delay.sigma_thousandths, random), delay.max);
  }
  Duration operator()(const scenario::BarrierDelay&) const { return Duration(0); }
};

}  // namespace

Duration draw_delay(const scenario::Delay& delay, Duration most, Random& random) {
  return std::min(std::visit(Draw{random}, delay), most);
}

}  // namespace retrylab::engine
