// SPDX-License-Identifier: MIT
#include "server/report/html_ticks.h"

#include <algorithm>

namespace retrylab::report {

Duration round_step(Duration length) {
  constexpr int kStepsMax = 6;
  Duration step{1};
  while (step <= kForever / 100) {
    for (const int times : {1, 2, 5}) {
      if (step * times * kStepsMax >= length) return step * times;
    }
    step *= 10;
  }
  return step;
}

std::vector<Duration> round_ticks(Duration from, Duration until) {
  const Duration step = round_step(until - from);
  Duration tick = from - from % step;
  if (tick < from) tick += step;
  std::vector<Duration> ticks;
  for (; tick <= until; tick += step) ticks.push_back(tick);
  return ticks;
}

}  // namespace retrylab::report
