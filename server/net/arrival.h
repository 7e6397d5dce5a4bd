// SPDX-License-Identifier: MIT
// Arrival stamps of the kernel on a run's clock. The kernel stamps by the wall clock: each stamp
// is converted with an offset taken right after the read, and is of no use when the wall clock
// was set since the one before. What is converted is never earlier than the arrival: a thread that
// is interrupted between looking at the two clocks takes it for later.
#pragma once

#include <optional>

#include "client_lib/base/time.h"
#include "server/net/clock.h"

namespace retrylab::net {

class ArrivalClock {
 public:
  explicit ArrivalClock(const Clock& clock);

  // `wall` was read right before `now`. Nothing when the stamp can't be trusted.
  std::optional<Instant> convert(WallTime stamp, WallTime wall, Instant now);

 private:
  Duration offset_;        // wall clock minus run clock, at the last look
  WallTime trusted_from_;  // when the wall clock was found to be set: older stamps are of another
};

}  // namespace retrylab::net
