// SPDX-License-Identifier: MIT
#include "tests/zoo/shared.h"

#include <algorithm>
#include <chrono>

namespace retrylab::zoo {

namespace {

std::uint64_t count_recent(const std::vector<Instant>& times, Instant now, Duration window) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(times, [&](Instant at) { return at > now - window && at <= now; }));
}

}  // namespace

bool within(const scenario::ExpectBudget& budget, const Shared& shared, Instant now) {
  const auto recent = [&](const std::vector<Instant>& sent) {
    return count_recent(sent, now, budget.window);
  };
  const auto seconds = std::chrono::floor<std::chrono::seconds>(budget.window).count();
  const std::uint64_t allowed = recent(shared.firsts) * budget.ratio.part / budget.ratio.whole +
                                budget.per_second * static_cast<std::uint64_t>(seconds) +
                                budget.burst;
  return recent(shared.retries) < allowed;
}

bool is_accepted_share(const scenario::ExpectThrottle& throttle, const Shared& shared,
                       Instant now) {
  constexpr std::uint64_t kProbes = 5;
  const std::uint64_t sent = count_recent(shared.firsts, now, throttle.window) +
                             count_recent(shared.retries, now, throttle.window);
  const std::uint64_t accepted = count_recent(shared.accepted, now, throttle.window);
  return sent < accepted * throttle.ratio.part / throttle.ratio.whole + kProbes;
}

bool let_through(const scenario::ExpectSilence& breaker, Shared& shared, Instant now) {
  if (shared.failures < breaker.after) return true;
  if (now < shared.open_until || shared.probes >= breaker.probes) return false;
  ++shared.probes;
  return true;
}

void note(const scenario::ExpectSilence& breaker, Shared& shared, bool failed, Instant now) {
  const bool is_open = shared.failures >= breaker.after;
  if (is_open && shared.probes == 0) return;  // was on its way when it opened
  shared.probes = 0;
  if (!failed) {
    shared.failures = 0;
    return;
  }
  ++shared.failures;
  if (shared.failures >= breaker.after) shared.open_until = now + breaker.lasts;
}

}  // namespace retrylab::zoo
