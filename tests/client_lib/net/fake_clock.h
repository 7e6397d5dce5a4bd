// SPDX-License-Identifier: MIT
// Clocks for tests of the retry loop: time passes only by sleeping.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "client_lib/net/clock.h"

namespace retrylab {

// Starts at instant zero, on Mon, 30 Nov 2026 12:00:00 GMT.
class FakeClock : public Clock {
 public:
  Now now() override { return {.at = at_, .wall = kZero + at_.time_since_epoch()}; }

  bool sleep_until(Instant at, const std::stop_token& stop) override {
    if (on_sleep) on_sleep();
    if (stop.stop_requested()) return false;
    slept.push_back(std::max(at - at_, Duration(0)));
    at_ = std::max(at_, at);
    return true;
  }

  void advance(Duration time) { at_ += time; }

  std::vector<Duration> slept;
  std::function<void()> on_sleep;

 private:
  static constexpr WallTime kZero{std::chrono::seconds(1'796'040'000)};
  Instant at_{};
};

}  // namespace retrylab
