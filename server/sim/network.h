// SPDX-License-Identifier: MIT
// How long a message is on its way, and whether it arrives at all.
#pragma once

#include <optional>

#include "client_lib/base/random.h"
#include "client_lib/base/ratio.h"
#include "client_lib/base/time.h"

namespace retrylab::sim {

struct Network {
  enum class Delay { fixed, normal, exponential };
  Delay delay = Delay::fixed;
  Duration one_way{std::chrono::microseconds(20)};  // the mean
  Duration deviation{0};                            // for normal
  Ratio loss{0, 1};                                 // of each message, each way
};

// One message's way; nothing when it is lost. Fixed delays without loss draw nothing, so that
// runs with and without a network model of that kind are the same.
std::optional<Duration> draw_way(const Network& network, Random& random);

// The way without its loss.
Duration draw_delay(const Network& network, Random& random);

}  // namespace retrylab::sim
