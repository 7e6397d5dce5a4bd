// SPDX-License-Identifier: MIT
// The models of published herd studies, with their parameters: what the tests and the program
// `reproduce` compare with.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "server/sim/models/fleet.h"
#include "server/sim/models/service.h"

namespace retrylab::sim {

// Up to that many attempts, at once after each 503, without any limit of time.
inline Policy immediate_retries(std::uint32_t attempts) {
  Policy policy;
  policy.attempts = attempts;
  policy.backoff = {.base = Duration(0), .cap = Duration(0), .jitter = Jitter::none};
  policy.deadline = kForever;
  policy.attempt_timeout = kForever;
  policy.statuses = {503};
  return policy;
}

// Brooker's bucket: a tenth of a token per first try, room for five, a retry needs more than one.
inline BudgetPolicy tenth_bucket() {
  return TokenBucketPolicy{.capacity = 5000,
                           .retry_cost = 1000,
                           .timeout_cost = 1000,
                           .throttle_cost = 1000,
                           .first_try_gain = 100,
                           .success_gain = 0,
                           .refund_on_success = false,
                           .floor = 1000};
}

// 100 clients, each a Poisson stream of 10 per second for 10 s, Exp(10 ms) each way; the server
// fails independently.
inline Fleet independent_failures(const Policy& policy, std::uint64_t seed) {
  Fleet fleet;
  fleet.clients = 100;
  fleet.policy = policy;
  fleet.arrivals = {.kind = Arrivals::Kind::poisson,
                    .interval = std::chrono::milliseconds(100),
                    .length = std::chrono::seconds(10)};
  fleet.network = {.delay = Network::Delay::exponential, .one_way = std::chrono::milliseconds(10)};
  fleet.seed = seed;
  return fleet;
}

// 40 operations per second, twice that for t in [20 s, 25 s), until 80 s; Exp(0.1 s) each way; a
// server of 1 s + 10 ms per attempt in it; 3 s for an attempt, three tries.
inline Fleet congestion(std::optional<Duration> backoff_base, std::uint64_t seed) {
  using std::chrono::seconds;
  Fleet fleet;
  fleet.clients = 100;
  fleet.policy = immediate_retries(3);
  fleet.policy.attempt_timeout = seconds(3);
  if (backoff_base) {
    fleet.policy.backoff = {.base = *backoff_base, .cap = seconds(3600), .jitter = Jitter::full};
  }
  fleet.arrivals = {.kind = Arrivals::Kind::poisson,
                    .interval = std::chrono::milliseconds(2500),
                    .length = seconds(80),
                    .surge_from = seconds(20),
                    .surge_until = seconds(25)};
  fleet.network = {.delay = Network::Delay::exponential, .one_way = std::chrono::milliseconds(100)};
  fleet.seed = seed;
  return fleet;
}

// Successes in [60 s, 80 s) as a share of what was offered then.
inline double late_goodput(std::optional<Duration> backoff_base, std::uint64_t seed) {
  SlowingService server(std::chrono::seconds(1), std::chrono::milliseconds(10));
  const FleetResult result = run_fleet(congestion(backoff_base, seed), server);
  double good = 0;
  const auto& successes = result.measures.successes();
  for (std::size_t bin = 600; bin < 800 && bin < successes.size(); ++bin) good += successes[bin];
  return good / (40.0 * 20.0);
}

// 10,100 per second against a capacity of 10,000 per second, one fixed retry a second later.
inline Fleet fluid(std::uint64_t seconds_long) {
  Fleet fleet;
  fleet.clients = 1;
  fleet.policy = immediate_retries(UINT32_MAX);
  fleet.policy.backoff.base = fleet.policy.backoff.cap = std::chrono::seconds(1);
  fleet.arrivals = {.kind = Arrivals::Kind::even,
                    .per_second = 10'100,
                    .length = std::chrono::seconds(seconds_long)};
  fleet.network.one_way = Duration(0);
  fleet.time_max = std::chrono::seconds(seconds_long);
  return fleet;
}

}  // namespace retrylab::sim
