// SPDX-License-Identifier: MIT
// What holds in every simulation, whatever the fleet, the policy and the server.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "server/sim/models/fleet.h"
#include "server/sim/monotone_queue.h"
#include "tests/server/sim/models/known_models.h"

namespace retrylab::sim {
namespace {

using std::chrono::milliseconds;

// The same cases every time; RC_PARAMS="seed=N max_success=10000" tries others.
class SameCases : public ::testing::Environment {
 public:
  void SetUp() override { setenv("RC_PARAMS", "seed=7", 0); }
};
[[maybe_unused]] const ::testing::Environment* const kSameCases =
    ::testing::AddGlobalTestEnvironment(new SameCases);

std::uint32_t below(int bound) {
  return static_cast<std::uint32_t>(*rc::gen::inRange(0, bound));
}

Policy any_policy() {
  Policy policy = immediate_retries(1 + below(6));
  policy.backoff = {.base = milliseconds(1 + below(500)),
                    .factor_thousandths = 1000 + below(2000),
                    .cap = milliseconds(500 + below(4000)),
                    .jitter = static_cast<Jitter>(below(5))};
  policy.attempt_timeout = milliseconds(1 + below(3000));
  policy.deadline = below(2) == 0 ? kForever : Duration(milliseconds(1 + below(20'000)));
  switch (below(4)) {
    case 0:
      policy.budget = tenth_bucket();
      break;
    case 1:
      policy.budget = RetryWindowPolicy{};
      break;
    case 2:
      policy.budget = RetryConcurrencyPolicy{};
      break;
    default:
      break;
  }
  if (below(3) == 0) policy.breaker = BreakerPolicy{.min_calls = 3, .cool_down = milliseconds(700)};
  return policy;
}

Fleet any_fleet() {
  Fleet fleet;
  fleet.clients = 1 + below(40);
  fleet.policy = any_policy();
  fleet.arrivals = {.kind = static_cast<Arrivals::Kind>(below(3)),
                    .interval = milliseconds(1 + below(300)),
                    .per_second = 1 + below(200),
                    .length = milliseconds(1 + below(3000))};
  fleet.network = {.delay = static_cast<Network::Delay>(below(3)),
                   .one_way = milliseconds(below(100)),
                   .deviation = milliseconds(below(30)),
                   .loss = {below(3), 10}};
  fleet.seed = below(1'000'000);
  return fleet;
}

QueueService::Settings any_server() {
  return {.service_time = milliseconds(below(50)),
          .queue = below(100),
          .outage_from = Instant(milliseconds(below(1000))),
          .outage_until = Instant(milliseconds(below(4000))),
          .retry_after = milliseconds(below(3000))};
}

RC_GTEST_PROP(Properties, attempts_are_conserved_and_every_operation_ends, ()) {
  const Fleet fleet = any_fleet();
  QueueService server(any_server());
  const FleetResult result = run_fleet(fleet, server);
  const Summary summary = result.measures.summary();
  RC_ASSERT(result.stopped == FleetResult::Stopped::no);
  RC_ASSERT(summary.unfinished == 0U);
  // A breaker lets an operation end without its first try.
  RC_ASSERT(summary.attempts - summary.retries <= summary.operations);
  if (!fleet.policy.breaker) RC_ASSERT(summary.attempts == summary.operations + summary.retries);
  RC_ASSERT(summary.arrivals <= summary.attempts);
  RC_ASSERT(summary.served <= summary.arrivals);
  RC_ASSERT(summary.successes <= summary.served);
  RC_ASSERT(summary.attempts <= summary.operations * fleet.policy.attempts);
  std::uint64_t ended = 0;
  for (const std::uint64_t count : result.measures.reasons()) ended += count;
  RC_ASSERT(ended == summary.operations);
}

RC_GTEST_PROP(Properties, the_same_seed_gives_the_same_log, ()) {
  Fleet fleet = any_fleet();
  const QueueService::Settings settings = any_server();
  EventLog logs[2];
  for (EventLog& log : logs) {
    fleet.log = &log;
    QueueService server(settings);
    run_fleet(fleet, server);
  }
  RC_ASSERT(logs[0].text() == logs[1].text());
}

// Against a plain list that is searched for the earliest, and for the first put in among equals.
RC_GTEST_PROP(Properties, the_queue_keeps_the_order_of_time_and_sequence, ()) {
  MonotoneQueue<int> queue;
  std::vector<std::pair<Instant, int>> list;
  const int steps = 1 + static_cast<int>(below(300));
  for (int step = 0; step < steps; ++step) {
    if (below(3) != 0 || list.empty()) {
      const Duration wait(static_cast<std::int64_t>(below(8)) << below(40));
      queue.after(wait, step);
      list.emplace_back(queue.now() + wait, step);
    } else {
      const auto first = std::ranges::min_element(list, {}, [](const auto& e) { return e; });
      RC_ASSERT(queue.take() == first->second);
      RC_ASSERT(queue.now() == first->first);
      list.erase(first);
    }
    RC_ASSERT(queue.size() == list.size());
  }
}

// Kolmogorov and Smirnov: with 2,000 clients the critical distance at 0.1 % is 1.949 / sqrt(2000).
TEST(Properties, first_retries_under_full_jitter_arrive_uniformly) {
  EventLog log;
  Fleet fleet;
  fleet.clients = 2000;
  fleet.policy = immediate_retries(2);
  fleet.policy.backoff = {.base = milliseconds(1000), .cap = milliseconds(1000)};
  fleet.network.one_way = Duration(0);
  fleet.log = &log;
  FailingService server({1, 1});
  run_fleet(fleet, server);
  std::vector<double> waits;
  for (std::size_t at = log.text().find(" wake "); at != std::string::npos;
       at = log.text().find(" wake ", at + 1)) {
    const std::size_t line = log.text().rfind('\n', at) + 1;
    waits.push_back(std::stod(log.text().substr(line)) / 1e9);
  }
  ASSERT_EQ(waits.size(), 2000U);
  std::ranges::sort(waits);
  double distance = 0;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const double below_it = static_cast<double>(i) / 2000;
    distance = std::max(
        {distance, std::abs(waits[i] - below_it), std::abs(waits[i] - below_it - 1.0 / 2000)});
  }
  EXPECT_LT(distance, 1.949 / std::sqrt(2000.0));
}

}  // namespace
}  // namespace retrylab::sim
