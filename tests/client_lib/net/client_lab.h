// SPDX-License-Identifier: MIT
// A client on a transport in memory, and on a clock that only sleeping moves.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client_lib/net/retry_client.h"
#include "tests/client_lib/net/fake_clock.h"
#include "tests/client_lib/net/scripted_transport.h"

namespace retrylab {

inline const std::string kUrl = "http://a.test/pay";

struct Lab {
  explicit Lab(std::vector<Outcome> outcomes, ClientOptions options = {})
      : transport(std::move(outcomes)) {
    options.seed = options.seed.value_or(1);
    auto made = RetryClient::make(std::move(options), transport, clock);
    EXPECT_TRUE(made);
    if (made) client = std::move(*made);
  }
  OperationResult send(Request request) { return client->send(std::move(request)); }
  std::set<std::string> keys() const {
    std::set<std::string> found;
    for (const auto& sent : transport.sent) {
      found.emplace(find_header(sent.headers, "Idempotency-Key").value_or("none"));
    }
    return found;
  }

  ScriptedTransport transport;
  FakeClock clock;
  std::unique_ptr<RetryClient> client;
};

inline ClientOptions unjittered(Policy policy = careful()) {
  policy.backoff.jitter = Jitter::none;
  policy.server_wait.spread = Duration(0);
  return {.policy = std::move(policy)};
}

}  // namespace retrylab
