// SPDX-License-Identifier: MIT
#include "server/verify/statistics/backoff_model.h"

#include <algorithm>
#include <cmath>

#include "server/verify/timing.h"

namespace retrylab::verify::statistics {
namespace {

const double kLeadMin = std::log(1000.0);
// A wait that a kind cannot make counts against it like this, not for ever: one odd wait is no
// proof by itself.
const double kOutside = std::log(1e-12);

double seconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

// The density of a uniform wait between low and high, both widened.
double log_uniform(double time, double low, double high) {
  const double from = low - seconds(kEarlyTolerance);
  const double to = high + seconds(kLateTolerance);
  return time < from || time > to ? kOutside : -std::log(to - from);
}

// Decorrelated: uniform from base to three times the wait before, then cut at the cap, where all
// that is beyond piles up.
double log_decorrelated(const Wait& wait, double base, double cap) {
  const double time = seconds(wait.time);
  const double top = std::max(base, 3 * seconds(wait.previous));
  if (top <= cap) return log_uniform(time, base, top);
  const double piled = (top - cap) / (top - base);
  const double width = seconds(kEarlyTolerance) + seconds(kLateTolerance);
  const bool is_at_cap =
      time >= cap - seconds(kEarlyTolerance) && time <= cap + seconds(kLateTolerance);
  if (is_at_cap) return std::log(piled / width + 1 / (top - base));
  return time < base - seconds(kEarlyTolerance) || time > cap ? kOutside : -std::log(top - base);
}

double log_likelihood(JitterKind kind, const Wait& wait, double base, double cap) {
  const double time = seconds(wait.time);
  const double top = seconds(wait.ceiling);
  switch (kind) {
    case JitterKind::none:
      return log_uniform(time, top, top);
    case JitterKind::full:
      return log_uniform(time, 0, top);
    case JitterKind::equal:
      return log_uniform(time, 0.5 * top, top);
    case JitterKind::decorrelated:
      return log_decorrelated(wait, base, cap);
    case JitterKind::within_20_percent:
      return log_uniform(time, 0.8 * top, 1.2 * top);
    case JitterKind::within_25_percent:
      return log_uniform(time, 0.75 * top, 1.25 * top);
    case JitterKind::within_50_percent:
      return log_uniform(time, 0.5 * top, 1.5 * top);
    case JitterKind::three_quarters_up:
      return log_uniform(time, 0.75 * top, top);
    case JitterKind::added:
      return log_uniform(time, top, top + base);
  }
  return kOutside;
}

}  // namespace

ModelChoice choose_model(std::span<const Wait> waits, Duration base, Duration cap) {
  std::array<std::pair<double, JitterKind>, kJitterKinds.size()> ranking;
  for (std::size_t i = 0; i < kJitterKinds.size(); ++i) {
    double sum = 0;
    for (const Wait& wait : waits) {
      sum += log_likelihood(kJitterKinds[i], wait, seconds(base), seconds(cap));
    }
    ranking[i] = {sum, kJitterKinds[i]};
  }
  std::ranges::stable_sort(ranking, std::ranges::greater{}, &std::pair<double, JitterKind>::first);
  const double lead = ranking[0].first - ranking[1].first;
  return {ranking[0].second, ranking[1].second, lead, lead > kLeadMin};
}

std::string_view word(JitterKind kind) {
  switch (kind) {
    case JitterKind::none:
      return "no jitter";
    case JitterKind::full:
      return "full jitter";
    case JitterKind::equal:
      return "equal jitter";
    case JitterKind::decorrelated:
      return "decorrelated jitter";
    case JitterKind::within_20_percent:
      return "jitter of 20% either way";
    case JitterKind::within_25_percent:
      return "jitter of 25% either way";
    case JitterKind::within_50_percent:
      return "jitter of 50% either way";
    case JitterKind::three_quarters_up:
      return "75% to 100% of the ceiling";
    case JitterKind::added:
      return "jitter added on top";
  }
  return "";
}

}  // namespace retrylab::verify::statistics
