// SPDX-License-Identifier: MIT
#include "server/audit/infer/round_value.h"

#include <array>
#include <chrono>
#include <cmath>

namespace retrylab::audit {

Duration round_value(Duration time, double tolerance) {
  constexpr std::array kSteps{1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 8.0, 10.0};
  const double ms = std::chrono::duration<double, std::milli>(time).count();
  if (ms < 1)
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::milli>(ms));
  const double power = std::pow(10, std::floor(std::log10(ms)));
  double best = std::round(ms);
  double distance = std::max(tolerance * ms, 3.0);
  for (const double step : kSteps) {
    const double value = step * power;
    if (std::abs(value - ms) > distance) continue;
    best = value;
    distance = std::abs(value - ms);
  }
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::milli>(best));
}

}  // namespace retrylab::audit
