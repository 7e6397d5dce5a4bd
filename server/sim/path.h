// SPDX-License-Identifier: MIT
// One direction of a connection: messages arrive in the order they were sent. A lost one takes
// everything after it along, as if the connection's packets fell into a hole: what TCP sends
// again in vain. Neither end notices; the client's time limit ends it.
#pragma once

#include <algorithm>
#include <optional>

#include "server/sim/network.h"

namespace retrylab::sim {

// The network is the same in every call.
class Path {
 public:
  explicit Path(Random random) : random_(random) {}

  // When a message sent now is there; nothing: it is lost.
  std::optional<Instant> arrival(const Network& network, Instant now) {
    const std::optional<Duration> way = draw_way(network, random_);
    if (!way) lost_ = true;
    if (lost_) return std::nullopt;
    return in_order(saturating_add(now, *way));
  }
  // The same for what the system sends until it arrives: the end of a connection.
  Instant arrival_in_the_end(const Network& network, Instant now) {
    return in_order(saturating_add(now, draw_delay(network, random_)));
  }
  // A new connection.
  void renew() { lost_ = false; }

 private:
  Instant in_order(Instant at) { return last_ = std::max(last_, at); }

  Random random_;
  Instant last_;
  bool lost_ = false;
};

}  // namespace retrylab::sim
