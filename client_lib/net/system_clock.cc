// SPDX-License-Identifier: MIT
#include "client_lib/net/system_clock.h"

#include <condition_variable>
#include <mutex>

namespace retrylab {

Now SystemClock::now() {
  return {.at = Instant(std::chrono::steady_clock::now() - origin_),
          .wall = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now())};
}

bool SystemClock::sleep_until(Instant at, const std::stop_token& stop) {
  // A century is for ever, and far from the end of steady_clock.
  constexpr Duration kLongest = std::chrono::hours(24 * 365 * 100);
  const auto until = origin_ + std::min(at.time_since_epoch(), kLongest);
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  const auto over = [until] { return std::chrono::steady_clock::now() >= until; };
  wake.wait_until(lock, stop, until, over);
  return !stop.stop_requested();
}

}  // namespace retrylab
