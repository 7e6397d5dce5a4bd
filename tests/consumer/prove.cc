// SPDX-License-Identifier: MIT
// Proves a client with the test helpers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client_lib/net/retry_client.h"
#include "testing/matchers.h"
#include "testing/scenario_builder.h"

namespace {

using retrylab::RetryClient;
using retrylab::testing::CreatedExactlyOnce;
using retrylab::testing::KeptItsKey;
using retrylab::testing::MockServer;
using retrylab::testing::ScenarioBuilder;

TEST(Payment, is_made_once_though_the_answer_is_lost) {
  const auto scenario = ScenarioBuilder("charge-once")
                            .route("POST /pay")
                            .creates("payment")
                            .keeps_keys()
                            .answers(201)
                            .fault("reset", "response_start")
                            .answers(201)
                            .build();
  ASSERT_TRUE(scenario) << scenario.error().message;
  auto server = MockServer::start(*scenario);
  ASSERT_TRUE(server) << server.error().message;
  auto client = RetryClient::make();
  ASSERT_TRUE(client);
  EXPECT_TRUE(
      (*client)->send({.method = "POST", .url = (*server)->url("/pay"), .make_key = true}).ok());
  EXPECT_THAT(**server, testing::AllOf(CreatedExactlyOnce("payment"), KeptItsKey()));
}

}  // namespace
