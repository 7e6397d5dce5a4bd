// SPDX-License-Identifier: MIT
#include <string>

#include "bench/sim/reproduce/sections.h"
#include "client_lib/retry/presets.h"
#include "server/sim/models/layers.h"
#include "tests/server/sim/models/known_models.h"

namespace retrylab::sim::reproduce {
namespace {

Policy without_waits(Policy policy) {
  policy.backoff = immediate_retries(1).backoff;
  policy.deadline = kForever;
  policy.breaker.reset();
  policy.statuses.insert(429);
  return policy;
}

// Retries that a total outage gets: 100 operations per second of one client.
std::uint64_t retries_of(const Policy& policy, int status, std::uint64_t seconds) {
  Fleet fleet;
  fleet.policy = policy;
  fleet.arrivals = {
      .kind = Arrivals::Kind::even, .per_second = 100, .length = std::chrono::seconds(seconds)};
  FailingService server({1, 1}, status);
  return run_fleet(fleet, server).measures.summary().retries;
}

Policy with_budget(const BudgetPolicy& budget) {
  Policy policy = immediate_retries(4);
  policy.budget = budget;
  return policy;
}

void budgets() {
  Policy grpc_100 = without_waits(grpc());
  auto& tokens = std::get<TokenBucketPolicy>(*grpc_100.budget);
  tokens.capacity = 100'000;
  tokens.floor = 50'000;
  const RetryWindowPolicy sre{.ratio = {1, 10},
                              .of = RetryWindowPolicy::Of::all_attempts,
                              .per_second = 0,
                              .window = std::chrono::minutes(2)};
  struct Row {
    std::string_view name;
    std::string_view reference;
    Policy policy;
    int status;
    std::uint64_t seconds;
  };
  const Row rows[] = {
      {"AWS 2.0, 5xx", "100", without_waits(aws_standard_2_0()), 503, 10},
      {"AWS 2.1, transient", "35", without_waits(aws_standard_2_1()), 503, 10},
      {"AWS 2.1, throttling", "100", without_waits(aws_standard_2_1()), 429, 10},
      {"gRPC, 10 tokens, 4 attempts", "3", without_waits(grpc()), 503, 10},
      {"gRPC, 100 tokens, 4 attempts", "37", grpc_100, 503, 10},
      {"Finagle default, 10 s at 100/s", "300", with_budget(RetryWindowPolicy{}), 503, 10},
      {"Finagle default, 60 s at 100/s", "1800", with_budget(RetryWindowPolicy{}), 503, 60},
      {"SRE 10 % of all, 1000 operations", "111 to 112", with_budget(sre), 503, 10},
      {"bucket of tenths, 1000 operations", "104", with_budget(tenth_bucket()), 503, 10},
  };
  fmt::print(
      "\n## Exact certificates\n\nRetries that a total outage gets out of a budget (RULES "
      "BU-3):\n\n| budget | allowed | ours |\n|---|---:|---:|\n");
  for (const Row& row : rows) {
    fmt::print("| {} | {} | {} |\n", row.name, row.reference,
               retries_of(row.policy, row.status, row.seconds));
  }
}

void growth() {
  constexpr std::uint64_t kSeconds = 20;
  WindowService server(10'000, std::chrono::seconds(1));
  run_fleet(fluid(kSeconds), server);
  std::uint64_t wrong = 0;
  for (std::uint64_t k = 0; k < kSeconds; ++k) {
    if (server.arrivals()[k] != 10'100 + 100 * k) ++wrong;
  }
  fmt::print(
      "\nFluid growth: capacity 10,000 per second, 10,100 offered, a retry after one second: "
      "10,100 + 100 k in\nsecond k. Of {} seconds {} differ; the last had {}.\n",
      kSeconds, wrong, server.arrivals()[kSeconds - 1]);
}

void layers() {
  fmt::print(
      "\nLayers that each make four attempts, everything fails:\n\n"
      "| layers | 4^j | attempts at the bottom | with the bucket in each, per 10,000 |\n"
      "|---:|---:|---:|---:|\n");
  std::uint64_t expected = 1;
  for (std::size_t count = 1; count <= 4; ++count) {
    expected *= 4;
    const std::vector<Policy> plain(count, immediate_retries(4));
    const std::vector<Policy> bounded(count, with_budget(tenth_bucket()));
    fmt::print("| {} | {} | {} | {} |\n", count, expected,
               run_layers({.policies = plain}).attempts.back(),
               run_layers({.policies = bounded, .operations = 10'000}).attempts.back());
  }
}

}  // namespace

void certificates() {
  budgets();
  growth();
  layers();
}

}  // namespace retrylab::sim::reproduce
