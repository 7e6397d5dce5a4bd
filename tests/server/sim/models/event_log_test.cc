// SPDX-License-Identifier: MIT
// One seed, one byte-identical event log, whatever the compiler and its flags: the hashes below
// hold for g++ and clang++ at -O0 and -O2.
#include "server/sim/event_log.h"

#include <gtest/gtest.h>

#include "client_lib/base/sha256.h"
#include "server/sim/models/contended.h"
#include "tests/server/sim/models/known_models.h"

namespace retrylab::sim {
namespace {

std::string contended_log() {
  EventLog log;
  for (const Strategy& strategy : contended_strategies()) {
    run_contended({.clients = 20, .backoff = strategy.backoff, .seed = 42, .log = &log});
  }
  return log.text();
}

std::string independent_log(std::uint32_t clients = 20) {
  EventLog log;
  Fleet fleet = independent_failures(immediate_retries(4), 42);
  fleet.clients = clients;
  fleet.policy.budget = tenth_bucket();
  fleet.log = &log;
  FailingService server({1, 2});
  run_fleet(fleet, server);
  return log.text();
}

std::string congestion_log() {
  EventLog log;
  Fleet fleet = congestion(std::chrono::seconds(20), 42);
  fleet.log = &log;
  SlowingService server(std::chrono::seconds(1), std::chrono::milliseconds(10));
  run_fleet(fleet, server);
  return log.text();
}

// The jitter kinds, a budget and a breaker in an outage with lost messages.
std::string outage_log() {
  EventLog log;
  Policy policy = immediate_retries(5);
  policy.backoff = {.base = std::chrono::milliseconds(100), .cap = std::chrono::seconds(2)};
  policy.attempt_timeout = std::chrono::seconds(1);
  policy.server_wait.spread = std::chrono::milliseconds(250);
  policy.budget = RetryWindowPolicy{.per_second = 1};
  policy.breaker = BreakerPolicy{.min_calls = 3, .cool_down = std::chrono::milliseconds(1500)};
  for (const Jitter jitter :
       {Jitter::none, Jitter::full, Jitter::equal, Jitter::decorrelated, Jitter::proportional}) {
    Fleet fleet;
    fleet.clients = 200;
    fleet.policy = policy;
    fleet.policy.backoff.jitter = jitter;
    fleet.network = {.delay = Network::Delay::normal,
                     .one_way = std::chrono::milliseconds(10),
                     .deviation = std::chrono::milliseconds(2),
                     .loss = {1, 50}};
    fleet.seed = 42;
    fleet.log = &log;
    QueueService server({.service_time = std::chrono::milliseconds(2),
                         .queue = 50,
                         .outage_until = Instant(std::chrono::seconds(2)),
                         .retry_after = std::chrono::seconds(1)});
    run_fleet(fleet, server);
  }
  return log.text();
}

std::string hash(const std::string& text) {
  return to_hex(sha256(text)).substr(0, 16);
}

TEST(EventLog, is_the_same_bytes_everywhere) {
  EXPECT_EQ(hash(contended_log()), "fa36f7aab04d0832");
  EXPECT_EQ(hash(independent_log()), "a1a86acd781de682");
  EXPECT_EQ(hash(congestion_log()), "483894280e7b1b7e");
  EXPECT_EQ(hash(outage_log()), "7b21d6dacbdf045f");
}

// The lines of some clients.
std::string lines_below(const std::string& log, unsigned long clients) {
  std::string kept;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\n', at) + 1;
    if (std::stoul(log.substr(log.find(' ', at))) < clients) kept += log.substr(at, end - at);
    at = end;
  }
  return kept;
}

TEST(EventLog, of_the_others_does_not_change_when_a_client_is_added) {
  EXPECT_EQ(lines_below(independent_log(21), 20), independent_log(20));
}

}  // namespace
}  // namespace retrylab::sim
