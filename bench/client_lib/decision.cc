// SPDX-License-Identifier: MIT
// What one decision costs: from an outcome to "wait until" or "give up".
#include <benchmark/benchmark.h>

#include <string>

#include "bench/client_lib/allocations.h"
#include "client_lib/retry/next_move.h"
#include "client_lib/retry/presets.h"

namespace retrylab::bench {
namespace {

constexpr WallTime kWall{std::chrono::seconds(1'796'040'000)};

Outcome answer(int status, Headers headers = {}) {
  return {.response = {.status = status, .headers = std::move(headers)}};
}

// An operation's first decision after `outcome`, again and again.
void decide(benchmark::State& state, const Policy& policy, const Outcome& outcome) {
  std::optional<Budget> budget;
  std::optional<Breaker> breaker;
  if (policy.budget) budget.emplace(*policy.budget);
  if (policy.breaker) breaker.emplace(*policy.breaker);
  const Guards guards{.budget = budget ? &*budget : nullptr,
                      .breaker = breaker ? &*breaker : nullptr};
  Random random(1);
  std::int64_t at = 0;
  const std::uint64_t before = allocations();
  for (auto _ : state) {
    Progress progress = begin({.method = "GET"});
    const Context context{{Instant(Duration(++at)), kWall}, random, guards};
    benchmark::DoNotOptimize(next_move(policy, progress, nullptr, context));
    benchmark::DoNotOptimize(next_move(policy, progress, &outcome, context));
  }
  state.counters["allocations"] = benchmark::Counter(static_cast<double>(allocations() - before),
                                                     benchmark::Counter::kAvgIterations);
}

const Headers kUsual{{"Date", "Mon, 30 Nov 2026 12:00:00 GMT"},
                     {"Content-Type", "application/json"},
                     {"Content-Length", "27"},
                     {"Connection", "keep-alive"}};

Headers with(std::string name, std::string value) {
  Headers headers = kUsual;
  headers.push_back({std::move(name), std::move(value)});
  return headers;
}

Policy guarded() {
  Policy policy = careful();
  policy.budget = RetryWindowPolicy{};
  policy.breaker = BreakerPolicy{.calls = 1'000, .threshold = {1, 1}, .min_calls = 1'000};
  return policy;
}

BENCHMARK_CAPTURE(decide, success, careful(), answer(200, kUsual));
BENCHMARK_CAPTURE(decide, backoff, careful(), answer(503, kUsual));
BENCHMARK_CAPTURE(decide, retry_after_seconds, careful(), answer(429, with("Retry-After", "2")));
BENCHMARK_CAPTURE(decide, retry_after_date, careful(),
                  answer(429, with("Retry-After", "Mon, 30 Nov 2026 12:00:02 GMT")));
BENCHMARK_CAPTURE(decide, with_budget_and_breaker, guarded(), answer(503, kUsual));

}  // namespace
}  // namespace retrylab::bench
