// SPDX-License-Identifier: MIT
// The retry loop over a transport in memory, on a clock that only sleeping moves.
#include "client_lib/net/retry_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/client_lib/net/client_lab.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

TEST(RetryClient, retries_and_sleeps_as_decided) {
  Lab lab({answer(503), answer(429, {{"Retry-After", "2"}}), answer(200, {}, "ok")}, unjittered());
  const OperationResult result = lab.send({.url = kUrl});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.response().body, "ok");
  EXPECT_THAT(lab.clock.slept, ElementsAre(250ms, 2s));
}

TEST(RetryClient, the_history_tells_every_attempt_and_every_wait) {
  Lab lab({answer(503), Outcome{.failure = Failure::reset, .detail = "broken"}, answer(200)},
          unjittered());
  lab.transport.on_send = [&lab] { lab.clock.advance(7ms); };
  const OperationResult result = lab.send({.url = kUrl});
  ASSERT_EQ(result.attempts.size(), 3U);
  EXPECT_EQ(describe(result.attempts[0]),
            "attempt 1 GET http://a.test/pay 503 in 7ms, waits 250ms (backoff)");
  EXPECT_EQ(describe(result.attempts[1]),
            "attempt 2 GET http://a.test/pay reset in 7ms, waits 500ms (backoff)");
  EXPECT_EQ(describe(result.attempts[2]), "attempt 3 GET http://a.test/pay 200 in 7ms");
  EXPECT_EQ(result.attempts[1].detail, "broken");
  EXPECT_EQ(result.attempts[1].started, Instant(257ms));
  EXPECT_EQ(describe(result), "succeeded after 3 attempts in 771ms, last 200");
}

TEST(RetryClient, a_failure_names_its_reason) {
  Lab lab({answer(503)}, unjittered());
  const OperationResult result = lab.send({.url = kUrl});
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.reason, Reason::attempts_exhausted);
  EXPECT_EQ(result.response().status, 503);
  EXPECT_EQ(describe(result), "failed after 5 attempts in 3.75s: attempts_exhausted, last 503");
}

TEST(RetryClient, what_cannot_be_sent_is_an_error_value) {
  const Request rows[] = {
      {.url = ""},
      {.url = "a.test"},
      {.url = "ftp://a.test/"},
      {.method = "", .url = kUrl},
      {.method = "GE T", .url = kUrl},
      {.url = kUrl, .headers = {{"X Y", "z"}}},
      {.url = kUrl, .headers = {{"X", "a\r\nEvil: b"}}},
      {.url = kUrl, .headers = {{"X", std::string("a\0b", 3)}}},
      {.url = kUrl, .headers = {{"Content-Length", "5"}}},
      {.url = kUrl, .headers = {{"transfer-encoding", "chunked"}}},
  };
  for (const Request& request : rows) {
    Lab lab({answer(200)});
    const OperationResult result = lab.send(request);
    EXPECT_EQ(result.reason, Reason::invalid_request);
    EXPECT_FALSE(result.problem.empty());
    EXPECT_FALSE(result.outcome);
    EXPECT_TRUE(lab.transport.sent.empty());
  }
}

TEST(RetryClient, a_policy_without_sense_is_refused) {
  ClientOptions options;
  options.policy.attempts = 0;
  FakeClock clock;
  ScriptedTransport transport({answer(200)});
  const auto client = RetryClient::make(options, transport, clock);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().where, "attempts");
  EXPECT_FALSE(RetryClient::make(options));
}

TEST(RetryClient, cancelling_during_a_sleep_sends_nothing_more) {
  Lab lab({answer(503)}, unjittered());
  std::stop_source source;
  lab.clock.on_sleep = [&source] { source.request_stop(); };
  const OperationResult result = lab.client->send({.url = kUrl}, source.get_token());
  EXPECT_EQ(result.reason, Reason::cancelled);
  EXPECT_EQ(lab.transport.sent.size(), 1U);
}

TEST(RetryClient, cancelling_during_an_attempt_ends_the_operation) {
  Lab lab({answer(503)}, unjittered());
  std::stop_source source;
  lab.transport.on_send = [&source] { source.request_stop(); };
  const OperationResult result = lab.client->send({.url = kUrl}, source.get_token());
  EXPECT_EQ(result.reason, Reason::cancelled);
  EXPECT_EQ(result.attempts.size(), 1U);
}

TEST(RetryClient, the_observer_sees_each_attempt_with_its_decision) {
  ClientOptions options = unjittered();
  std::vector<std::string> seen;
  options.on_attempt = [&seen](const AttemptRecord& record) { seen.push_back(describe(record)); };
  Lab lab({answer(503), answer(200)}, options);
  lab.send({.url = kUrl});
  EXPECT_THAT(seen, ElementsAre("attempt 1 GET http://a.test/pay 503 in 0s, waits 250ms (backoff)",
                                "attempt 2 GET http://a.test/pay 200 in 0s"));
}

TEST(RetryClient, operations_of_one_client_share_its_budget) {
  Policy policy = careful();
  policy.budget = TokenBucketPolicy{.capacity = 20'000, .success_gain = 0};
  Lab lab({answer(503)}, unjittered(policy));
  EXPECT_EQ(lab.send({.url = kUrl}).reason, Reason::attempts_exhausted);  // 4 retries, 20 tokens
  EXPECT_EQ(lab.send({.url = kUrl}).reason, Reason::budget_empty);
}

// RULES CB-5: one failing host does not silence another.
TEST(RetryClient, breakers_belong_to_their_host) {
  Policy policy = careful();
  policy.breaker = BreakerPolicy{.calls = 5, .threshold = {1, 1}, .min_calls = 5};
  Lab lab({answer(503)}, unjittered(policy));
  EXPECT_EQ(lab.send({.url = kUrl}).reason, Reason::attempts_exhausted);
  EXPECT_EQ(lab.send({.url = kUrl}).reason, Reason::breaker_open);
  EXPECT_EQ(lab.send({.url = "http://a.test:81/pay"}).reason, Reason::attempts_exhausted);
  EXPECT_EQ(lab.transport.sent.size(), 10U);
}

TEST(RetryClient, attempts_never_get_more_time_than_is_left) {
  Policy policy = careful();
  policy.deadline = 1s;
  policy.attempt_timeout = 800ms;
  Lab lab({answer(503)}, unjittered(policy));
  lab.send({.url = kUrl});
  ASSERT_EQ(lab.transport.sent.size(), 3U);
  EXPECT_EQ(lab.transport.sent[0].time, 800ms);
  EXPECT_EQ(lab.transport.sent[1].time, 750ms);
  EXPECT_EQ(lab.transport.sent[2].time, 250ms);
}

TEST(RetryClient, the_same_seed_waits_the_same) {
  const auto waits = [](std::uint64_t seed) {
    Lab lab({answer(503)}, {.seed = seed});
    lab.send({.url = kUrl});
    return lab.clock.slept;
  };
  EXPECT_EQ(waits(1), waits(1));
  EXPECT_NE(waits(1), waits(2));
}

TEST(RetryClient, operations_of_one_client_wait_differently) {
  Lab lab({answer(503)});
  lab.send({.url = kUrl});
  const std::vector<Duration> first = std::exchange(lab.clock.slept, {});
  lab.send({.url = kUrl});
  EXPECT_NE(first, lab.clock.slept);
}

TEST(RetryClient, threads_may_share_a_client) {
  Policy policy = careful();
  policy.backoff = {.base = 0s, .cap = 0s};
  policy.budget = TokenBucketPolicy{.capacity = 50'000, .success_gain = 0};
  ScriptedTransport transport({answer(503)});
  class StillClock : public Clock {
   public:
    Now now() override { return {}; }
    bool sleep_until(Instant, const std::stop_token&) override { return true; }
  } clock;
  auto client = *RetryClient::make({.policy = policy}, transport, clock);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&client] {
      for (int k = 0; k < 20; ++k) client->send({.url = kUrl});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(transport.sent.size(), 8U * 20 + 10);  // 50 tokens are ten retries
}

}  // namespace
}  // namespace retrylab
