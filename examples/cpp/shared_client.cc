// SPDX-License-Identifier: MIT
// One client for many threads, with a retry budget and a circuit breaker, against a service that
// is down for good. The service is a scenario inside this very program.
#include <atomic>
#include <iostream>
#include <thread>
#include <vector>

#include "client_lib/net/retry_client.h"
#include "testing/mock_server.h"
#include "testing/scenario_builder.h"

namespace {

// Fast enough to watch, and frugal: 10 % of the requests may be retries.
retrylab::ClientOptions frugal() {
  using namespace std::chrono_literals;
  retrylab::ClientOptions options;
  options.policy = retrylab::google_sre();
  options.policy.backoff = {.base = 1ms, .cap = 10ms};
  options.policy.breaker = retrylab::BreakerPolicy{.calls = 50, .min_calls = 50, .cool_down = 60s};
  return options;
}

}  // namespace

int main() {
  using retrylab::testing::MockServer;
  using retrylab::testing::ScenarioBuilder;
  const auto scenario = ScenarioBuilder("down-for-good").route("GET /").answers(503).build();
  if (!scenario) return 2;
  const auto server = MockServer::start(*scenario, {.one_operation = false});
  const auto client = retrylab::RetryClient::make(frugal());
  if (!server || !client) return 2;

  std::atomic<int> refused = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) {
        const auto result = (*client)->send({.url = (*server)->url("/")});
        if (result.reason == retrylab::Reason::breaker_open) ++refused;
      }
    });
  }
  threads.clear();

  const std::size_t sent = (*server)->journal().attempts.size();
  std::cout << "400 operations, " << sent << " attempts on the wire, " << refused
            << " refused by the breaker\n";
  return sent < 100 && refused > 300 ? 0 : 1;
}
