// SPDX-License-Identifier: MIT
#include "server/net/arrival.h"

#include <chrono>

namespace retrylab::net {
namespace {

// Adjusting a clock's speed moves it less than this between two requests; a step moves it more.
constexpr Duration kStep = std::chrono::milliseconds(1);

}  // namespace

ArrivalClock::ArrivalClock(const Clock& clock)
    : offset_(std::chrono::system_clock::now().time_since_epoch() -
              clock.now().time_since_epoch()) {}

std::optional<Instant> ArrivalClock::convert(WallTime stamp, WallTime wall, Instant now) {
  const Duration offset = wall.time_since_epoch() - now.time_since_epoch();
  const bool stepped = offset - offset_ > kStep || offset_ - offset > kStep;
  offset_ = offset;
  if (stepped) trusted_from_ = wall;
  const Instant arrived(stamp.time_since_epoch() - offset);
  if (stamp < trusted_from_ || arrived > now || arrived < Instant{}) return std::nullopt;
  return arrived;
}

}  // namespace retrylab::net
