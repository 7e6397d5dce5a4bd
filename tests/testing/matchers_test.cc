// SPDX-License-Identifier: MIT
// Each matcher against a client that keeps what it asks for and one that breaks it.
#include "testing/matchers.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "client_lib/net/retry_client.h"
#include "testing/scenario_builder.h"

namespace retrylab::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::DescribeMatcher;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<MockServer> serve(ScenarioBuilder& builder, MockServerOptions options = {}) {
  auto scenario = builder.build();
  if (!scenario) ADD_FAILURE() << scenario.error().message;
  return *MockServer::start(std::move(*scenario), options);
}

ScenarioBuilder payments() {
  ScenarioBuilder builder("payments");
  builder.route("POST /pay").creates("payment").keeps_keys();
  return builder;
}

// Waits of whole tens of milliseconds, without jitter.
ClientOptions steady() {
  ClientOptions options{.seed = 1};
  options.policy.backoff = {.base = 20ms, .cap = 80ms, .jitter = Jitter::none};
  options.policy.server_wait.limit = 8s;
  options.policy.server_wait.spread = 0s;
  return options;
}

OperationResult pay(const MockServer& server, const ClientOptions& options = steady()) {
  return (*RetryClient::make(options))
      ->send({.method = "POST", .url = server.url("/pay"), .make_key = true});
}

TEST(Matchers, a_right_client_matches_them_all) {
  auto builder = payments();
  builder.answers(503).retry_after(1s).answers(201).fault("reset", "response_start").answers(201);
  const auto server = serve(builder);
  EXPECT_TRUE(pay(*server).ok());
  EXPECT_THAT(*server, AllOf(AttemptCount(3), CreatedExactlyOnce("payment"), KeptItsKey(),
                             HonouredRetryAfter(), Passed()));
}

TEST(Matchers, a_new_key_per_attempt_is_caught) {
  auto builder = payments();
  builder.answers(201).fault("reset", "response_start").answers(201);
  const auto server = serve(builder);
  ClientOptions once = steady();
  once.policy.attempts = 1;
  pay(*server, once);
  pay(*server, once);
  EXPECT_THAT(*server, Not(CreatedExactlyOnce("payment")));
  EXPECT_THAT(*server, Not(KeptItsKey()));
  EXPECT_THAT(*server, Not(Passed()));
}

TEST(Matchers, a_client_that_ignores_retry_after_is_caught) {
  auto builder = payments();
  builder.answers(503).retry_after(2s).answers(201);
  const auto server = serve(builder);
  ClientOptions deaf = steady();
  deaf.policy.server_wait.rule = RetryAfterRule::ignore;
  pay(*server, deaf);
  EXPECT_THAT(*server, Not(HonouredRetryAfter()));
}

TEST(Matchers, without_a_retry_after_there_is_nothing_to_honour) {
  auto builder = payments();
  builder.answers(201);
  const auto server = serve(builder);
  pay(*server);
  EXPECT_THAT(*server, Not(HonouredRetryAfter()));
}

TEST(Matchers, backing_off_longer_than_the_ceilings_is_caught) {
  auto builder = payments();
  builder.answers(503).times(4).answers(201);
  const auto server = serve(builder);
  pay(*server);
  EXPECT_THAT(*server, BackedOffWithin(1s, 2, 2s));
  EXPECT_THAT(*server, Not(BackedOffWithin(1ms, 2, 2ms)));
}

TEST(Matchers, attempts_are_counted_without_those_that_match_no_route) {
  auto builder = payments();
  builder.answers(201);
  const auto server = serve(builder);
  (*RetryClient::make(steady()))->send({.url = server->url("/other")});
  pay(*server);
  EXPECT_THAT(*server, AttemptCount(1));
  EXPECT_THAT(*server, Not(AttemptCount(2)));
}

TEST(Matchers, a_failure_shows_the_report) {
  auto builder = payments();
  builder.answers(201);
  const auto server = serve(builder);
  pay(*server);
  ::testing::StringMatchResultListener listener;
  EXPECT_FALSE(::testing::ExplainMatchResult(AttemptCount(5), *server, &listener));
  EXPECT_EQ(listener.str(), "it made 1");
  EXPECT_THAT(::testing::PrintToString(*server), HasSubstr("POST"));
  EXPECT_EQ(DescribeMatcher<const MockServer&>(AttemptCount(5)), "makes 5 attempts");
}

}  // namespace
}  // namespace retrylab::testing
