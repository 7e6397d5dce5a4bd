// SPDX-License-Identifier: MIT
// An outage in front of a queue, by how the clients retry.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bench/sim/reproduce/sections.h"
#include "tests/server/sim/models/known_models.h"

namespace retrylab::sim::reproduce {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Named {
  std::string_view name;
  Policy policy;
};

Policy waiting(Backoff backoff) {
  Policy policy = immediate_retries(4);
  policy.attempt_timeout = seconds(1);
  policy.backoff = backoff;
  return policy;
}

std::vector<Named> backoffs() {
  const Backoff exponential{.base = milliseconds(500), .cap = seconds(8), .jitter = Jitter::none};
  const auto jittered = [&](Jitter jitter) {
    Backoff backoff = exponential;
    backoff.jitter = jitter;
    return waiting(backoff);
  };
  return {{"none", waiting({.base = Duration(0), .cap = Duration(0), .jitter = Jitter::none})},
          {"fixed 1 s", waiting({.base = seconds(1), .cap = seconds(1), .jitter = Jitter::none})},
          {"exponential", waiting(exponential)},
          {"equal", jittered(Jitter::equal)},
          {"full", jittered(Jitter::full)},
          {"decorrelated", jittered(Jitter::decorrelated)}};
}

struct Values {
  std::vector<double> drain_s, peak, wasted, amplification, goodput, success;
};

void run_once(const Policy& policy, std::uint64_t seed, Values& values) {
  Fleet fleet;
  fleet.clients = 20;
  fleet.policy = policy;
  fleet.arrivals = {
      .kind = Arrivals::Kind::poisson, .interval = milliseconds(40), .length = seconds(20)};
  fleet.network = {
      .delay = Network::Delay::normal, .one_way = milliseconds(10), .deviation = milliseconds(2)};
  fleet.recovery = Instant(seconds(10));
  fleet.seed = seed;
  QueueService server({.service_time = std::chrono::microseconds(1500),
                       .queue = 1200,
                       .outage_from = Instant(seconds(5)),
                       .outage_until = Instant(seconds(10))});
  const FleetResult result = run_fleet(fleet, server);
  const Summary summary = result.measures.summary();
  const auto operations = static_cast<double>(summary.operations);
  if (summary.drain) {
    values.drain_s.push_back(static_cast<double>(summary.drain->count()) / 1e9);
  }
  values.peak.push_back(static_cast<double>(summary.peak_arrivals));
  values.wasted.push_back(100 * static_cast<double>(summary.wasted()) /
                          std::max(1.0, static_cast<double>(summary.served)));
  values.amplification.push_back(static_cast<double>(summary.attempts) / operations);
  double good = 0;  // in the ten seconds after recovery
  const auto& successes = result.measures.successes();
  for (std::size_t bin = 100; bin < std::min<std::size_t>(200, successes.size()); ++bin) {
    good += successes[bin];
  }
  values.goodput.push_back(good / 10);
  values.success.push_back(100 * static_cast<double>(summary.successes) / operations);
}

// The median and the order statistics that cover it with 95 %.
std::string median(std::vector<double> values, int digits) {
  if (values.empty()) return "-";
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const auto at = [&](double rank) {
    return values[static_cast<std::size_t>(std::clamp(rank - 1, 0.0, n - 1))];
  };
  const double half = 0.98 * std::sqrt(n);
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", at((n + 1) / 2), digits, at(n / 2 - half),
                     digits, at(n / 2 + half + 1), digits);
}

}  // namespace

void outage_matrix(Effort effort) {
  const std::uint64_t seeds = effort.of(200);
  fmt::print(
      "\n## An outage in front of a queue\n\n20 clients, together 500 operations per second "
      "for 20 s, against a server of 667 per second with room for\n1,200 attempts, which "
      "fails everything from 5 s to 10 s; an attempt has 1 s, an operation four attempts. "
      "Full queue:\n1.8 s, more than the clients wait. {} seeds, the same for every row: "
      "median [95 % interval of the median].\nGoodput: in the ten seconds after "
      "recovery.\n\n"
      "| backoff | budget | breaker | drained, s | peak per 100 ms | wasted % | amplification "
      "| goodput per s | success % |\n|---|---|---|---:|---:|---:|---:|---:|---:|\n",
      seeds);
  const std::pair<std::string_view, std::optional<BudgetPolicy>> budgets[] = {
      {"none", std::nullopt},
      {"10 %", RetryWindowPolicy{.ratio = {1, 10}, .per_second = 0}},
      {"20 % + 10/s", RetryWindowPolicy{}}};
  for (const Named& backoff : backoffs()) {
    for (const auto& [budget_name, budget] : budgets) {
      for (const bool breaker : {false, true}) {
        Policy policy = backoff.policy;
        policy.budget = budget;
        if (breaker) policy.breaker = BreakerPolicy{.cool_down = seconds(1)};
        Values values;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) run_once(policy, seed, values);
        fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", backoff.name, budget_name,
                   breaker ? "yes" : "no", median(values.drain_s, 2), median(values.peak, 0),
                   median(values.wasted, 1), median(values.amplification, 2),
                   median(values.goodput, 0), median(values.success, 1));
      }
    }
  }
}

}  // namespace retrylab::sim::reproduce
