// SPDX-License-Identifier: MIT
#include "tests/zoo/shared.h"

#include <algorithm>
#include <chrono>

namespace retrylab::zoo {

bool within(const scenario::ExpectBudget& budget, const Shared& shared, Instant now) {
  const auto recent = [&](const std::vector<Instant>& sent) {
    const auto count = std::ranges::count_if(
        sent, [&](Instant at) { return at > now - budget.window && at <= now; });
    return static_cast<std::uint64_t>(count);
  };
  const auto seconds = std::chrono::floor<std::chrono::seconds>(budget.window).count();
  const std::uint64_t allowed = recent(shared.firsts) * budget.ratio.part / budget.ratio.whole +
                                budget.per_second * static_cast<std::uint64_t>(seconds) +
                                budget.burst;
  return recent(shared.retries) < allowed;
}

bool let_through(const scenario::ExpectSilence& breaker, Shared& shared, Instant now) {
  if (shared.failures < breaker.after) return true;
  if (now < shared.open_until || shared.probes >= breaker.probes) return false;
  ++shared.probes;
  return true;
}

void note(const scenario::ExpectSilence& breaker, Shared& shared, bool failed, Instant now) {
  shared.probes = 0;
  if (!failed) {
    shared.failures = 0;
    return;
  }
  ++shared.failures;
  if (shared.failures >= breaker.after) shared.open_until = now + breaker.lasts;
}

}  // namespace retrylab::zoo
