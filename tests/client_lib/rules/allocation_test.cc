// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/client_lib/allocations.h"
#include "client_lib/retry/next_move.h"
#include "client_lib/retry/presets.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kNow{std::chrono::seconds(1'796'040'000)};  // Mon, 30 Nov 2026 12:00:00 GMT

Outcome answer(int status, Headers headers = {}, std::string body = "") {
  return {.response = {.status = status, .headers = std::move(headers), .body = std::move(body)}};
}

// One operation to its end, every attempt with the same outcome.
std::uint64_t allocations_of(const Policy& policy, const Outcome& outcome) {
  std::optional<Budget> budget;
  std::optional<Breaker> breaker;
  if (policy.budget) budget.emplace(*policy.budget);
  if (policy.breaker) breaker.emplace(*policy.breaker);
  Random random(1);
  Instant at{};
  const auto ask = [&](Progress& progress, const Outcome* result) {
    const Guards guards{.budget = budget ? &*budget : nullptr,
                        .breaker = breaker ? &*breaker : nullptr};
    return next_move(policy, progress, result, {{at, kNow}, random, guards});
  };
  const std::uint64_t before = bench::allocations();
  Progress progress = begin({.method = "POST", .has_key = true});
  Move move = ask(progress, nullptr);
  while (!std::holds_alternative<Finish>(move)) {
    if (const auto* wait = std::get_if<WaitUntil>(&move)) at = wait->at;
    move = ask(progress, std::holds_alternative<AttemptNow>(move) ? &outcome : nullptr);
  }
  return bench::allocations() - before;
}

TEST(Decision, allocates_nothing) {
  Policy guarded = careful();
  guarded.budget = RetryWindowPolicy{};
  guarded.breaker = BreakerPolicy{.time = 10s};
  Policy all_headers = careful();
  all_headers.server_wait.headers = {.retry_after_ms = true,
                                     .x_amz_retry_after = true,
                                     .grpc_retry_pushback = true,
                                     .ratelimit = true,
                                     .x_ratelimit_reset = true};
  const Outcome outcomes[] = {
      answer(200),
      answer(503),
      answer(404),
      answer(429, {{"Retry-After", "2"}}),
      answer(503, {{"Retry-After", "Mon, 30 Nov 2026 12:00:02 GMT"}}),
      answer(503, {{"Retry-After", "Monday, 30-Nov-26 12:00:02 GMT"}}),
      answer(503, {{"Retry-After", "Mon Nov 30 12:00:02 2026"}}),
      answer(503, {{"Retry-After", "soon"}}),
      answer(429, {{"RateLimit", "\"default\";r=0;t=2"}, {"X-RateLimit-Reset", "1796040002"}}),
      answer(409, {}, "the idempotency key of this payment is in use, by another request"),
      Outcome{.failure = Failure::reset},
      Outcome{.failure = Failure::tls},
  };
  std::vector<Policy> policies{guarded, all_headers};
  for (const std::string_view name : preset_names()) policies.push_back(*find_preset(name));
  for (std::size_t i = 0; i < policies.size(); ++i) {
    for (const Outcome& outcome : outcomes) {
      EXPECT_EQ(allocations_of(policies[i], outcome), 0U)
          << "policy " << i << ", status " << outcome.response.status;
    }
  }
}

TEST(Decision, the_counter_counts) {
  const std::uint64_t before = bench::allocations();
  const auto made = std::make_unique<int>(5);
  EXPECT_EQ(bench::allocations() - before, 1U) << *made;
}

}  // namespace
}  // namespace retrylab
