// SPDX-License-Identifier: MIT
// The retry loop over a transport in memory, on a clock that only sleeping moves.
#include "client_lib/net/retry_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/client_lib/net/fake_clock.h"
#include "tests/client_lib/net/gzip.h"
#include "tests/client_lib/net/scripted_transport.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::MatchesRegex;

const std::string kUrl = "http://a.test/pay";

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

ClientOptions unjittered(Policy policy = careful()) {
  policy.backoff.jitter = Jitter::none;
  policy.server_wait.spread = 0s;
  return {.policy = std::move(policy)};
}

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

TEST(RetryClient, one_key_per_operation_goes_with_every_attempt) {
  Lab lab({Outcome{.failure = Failure::reset}, answer(503), answer(201)}, unjittered());
  const OperationResult result = lab.send({.method = "POST", .url = kUrl, .make_key = true});
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(lab.keys(), ElementsAre(result.key));
  EXPECT_EQ(lab.transport.sent.size(), 3U);
  EXPECT_THAT(result.key, MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                                       "[0-9a-f]{12}"));
}

TEST(RetryClient, operations_have_different_keys) {
  Lab lab({answer(201)});
  for (int i = 0; i < 100; ++i) lab.send({.method = "POST", .url = kUrl, .make_key = true});
  EXPECT_EQ(lab.keys().size(), 100U);
}

TEST(RetryClient, a_key_of_the_callers_is_never_replaced) {
  Lab lab({answer(503), answer(201)}, unjittered());
  const OperationResult result = lab.send(
      {.method = "POST", .url = kUrl, .headers = {{"idempotency-key", "mine"}}, .make_key = true});
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(lab.keys(), ElementsAre("mine"));
  EXPECT_EQ(count_header(lab.transport.sent[0].headers, "Idempotency-Key"), 1);
}

TEST(RetryClient, keys_may_be_quoted_and_named_otherwise) {
  ClientOptions options = unjittered();
  options.quoted_keys = true;
  options.key_header = "PayPal-Request-Id";
  Lab lab({answer(503), answer(201)}, options);
  const OperationResult result = lab.send({.method = "POST", .url = kUrl, .make_key = true});
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.key, MatchesRegex("\"[0-9a-f-]{36}\""));
  EXPECT_EQ(find_header(lab.transport.sent[1].headers, "PayPal-Request-Id"), result.key);
}

TEST(RetryClient, a_post_without_key_is_not_repeated_after_an_ambiguous_failure) {
  for (const Failure failure : {Failure::reset, Failure::closed, Failure::truncated,
                                Failure::malformed, Failure::timeout, Failure::transport}) {
    for (const std::string method : {"POST", "PATCH"}) {
      Lab lab({Outcome{.failure = failure}});
      EXPECT_EQ(lab.send({.method = method, .url = kUrl}).reason, Reason::not_idempotent);
      EXPECT_EQ(lab.transport.sent.size(), 1U);
    }
  }
}

TEST(RetryClient, every_attempt_is_the_same_request) {
  Lab lab({answer(503), answer(503), answer(200)});
  lab.send({.method = "PUT", .url = kUrl + "?a=b", .headers = {{"X", "y"}}, .body = "body"});
  ASSERT_EQ(lab.transport.sent.size(), 3U);
  for (const auto& sent : lab.transport.sent) {
    EXPECT_EQ(sent.method, "PUT");
    EXPECT_EQ(sent.url, "http://a.test/pay?a=b");
    EXPECT_EQ(sent.body, "body");
    EXPECT_EQ(sent.headers, lab.transport.sent[0].headers);
  }
}

// "body", once or as often as asked.
class TextBody : public BodySource {
 public:
  explicit TextBody(bool rewinds) : rewinds_(rewinds) {}
  std::uint64_t size() const override { return kText.size(); }
  bool can_rewind() const override { return rewinds_; }
  bool rewind() override {
    at_ = 0;
    return rewinds_;
  }
  std::size_t read(std::span<char> into) override {
    const std::size_t count = std::min(into.size(), kText.size() - at_);
    std::copy_n(kText.begin() + static_cast<std::ptrdiff_t>(at_), count, into.begin());
    at_ += count;
    return count;
  }

 private:
  static constexpr std::string_view kText = "body";
  bool rewinds_;
  std::size_t at_ = 0;
};

TEST(RetryClient, a_body_source_is_rewound_for_every_attempt) {
  Lab lab({answer(503), answer(503), answer(200)});
  const OperationResult result =
      lab.send({.method = "PUT", .url = kUrl, .body_source = std::make_shared<TextBody>(true)});
  EXPECT_TRUE(result.ok());
  ASSERT_EQ(lab.transport.sent.size(), 3U);
  for (const auto& sent : lab.transport.sent) EXPECT_EQ(sent.body, "body");
}

TEST(RetryClient, a_body_source_that_cannot_be_rewound_is_sent_once) {
  Lab lab({answer(503)});
  const OperationResult result =
      lab.send({.method = "PUT", .url = kUrl, .body_source = std::make_shared<TextBody>(false)});
  EXPECT_EQ(result.reason, Reason::body_not_repeatable);
  EXPECT_EQ(lab.transport.sent.size(), 1U);
}

TEST(RetryClient, a_redirect_needs_the_body_again_too) {
  Policy policy = careful();
  policy.redirects = 1;
  Lab lab({answer(307, {{"Location", "/b"}})}, unjittered(policy));
  const OperationResult result =
      lab.send({.method = "PUT", .url = kUrl, .body_source = std::make_shared<TextBody>(false)});
  EXPECT_EQ(result.reason, Reason::body_not_repeatable);
  EXPECT_EQ(lab.transport.sent.size(), 1U);
}

TEST(RetryClient, a_409_for_a_key_in_progress_is_retried_with_the_same_key) {
  Lab lab({Outcome{.failure = Failure::timeout},
           answer(409, {}, R"({"code": "idempotency_key_in_use"})"), answer(201)},
          unjittered());
  EXPECT_TRUE(lab.send({.method = "POST", .url = kUrl, .make_key = true}).ok());
  EXPECT_EQ(lab.keys().size(), 1U);
}

TEST(RetryClient, a_422_is_final) {
  Lab lab({answer(422, {}, "idempotency key reused")});
  EXPECT_EQ(lab.send({.method = "POST", .url = kUrl, .make_key = true}).reason,
            Reason::permanent_status);
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

TEST(RetryClient, a_gzip_answer_is_decoded) {
  Lab lab({answer(200, {{"Content-Encoding", "gzip"}}, gzip("text"))});
  const OperationResult result = lab.send({.url = kUrl});
  EXPECT_EQ(result.response().body, "text");
  EXPECT_EQ(find_header(lab.transport.sent[0].headers, "Accept-Encoding"), "gzip");
}

TEST(RetryClient, a_broken_gzip_answer_is_a_failure_and_is_retried) {
  const std::string whole = gzip("text");
  Lab lab({answer(200, {{"Content-Encoding", "gzip"}}, whole.substr(0, 12)),
           answer(200, {{"Content-Encoding", "gzip"}}, "text"),
           answer(200, {{"Content-Encoding", "gzip"}}, whole)},
          unjittered());
  const OperationResult result = lab.send({.url = kUrl});
  EXPECT_TRUE(result.ok());
  ASSERT_EQ(result.attempts.size(), 3U);
  EXPECT_EQ(result.attempts[0].failure, Failure::truncated);
  EXPECT_EQ(result.attempts[1].failure, Failure::malformed);
}

TEST(RetryClient, redirects_are_not_followed_by_default) {
  Lab lab({answer(302, {{"Location", "/b"}})});
  const OperationResult result = lab.send({.url = kUrl});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.response().status, 302);
  EXPECT_EQ(lab.transport.sent.size(), 1U);
}

// curl/curl#5462: a 429 after a 303 must repeat the GET, not the POST before it.
TEST(RetryClient, a_retry_after_a_redirect_goes_to_the_new_place) {
  Policy policy = careful();
  policy.redirects = 3;
  Lab lab({answer(303, {{"Location", "/poll"}, {"Retry-After", "3"}}),
           answer(429, {{"Retry-After", "1"}}), answer(200)},
          unjittered(policy));
  EXPECT_TRUE(lab.send({.method = "POST", .url = kUrl, .body = "b", .make_key = true}).ok());
  ASSERT_EQ(lab.transport.sent.size(), 3U);
  EXPECT_EQ(lab.transport.sent[0].url, kUrl);
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(lab.transport.sent[i].method, "GET");
    EXPECT_EQ(lab.transport.sent[i].url, "http://a.test/poll");
    EXPECT_EQ(lab.transport.sent[i].body, "");
    EXPECT_EQ(find_header(lab.transport.sent[i].headers, "Idempotency-Key"), std::nullopt);
  }
  EXPECT_THAT(lab.clock.slept, ElementsAre(3s, 1s));
}

TEST(RetryClient, a_307_takes_body_and_key_along) {
  Policy policy = careful();
  policy.redirects = 3;
  Lab lab({answer(307, {{"Location", "/b"}}), answer(503), answer(201)}, unjittered(policy));
  EXPECT_TRUE(lab.send({.method = "POST", .url = kUrl, .body = "body", .make_key = true}).ok());
  ASSERT_EQ(lab.transport.sent.size(), 3U);
  EXPECT_EQ(lab.transport.sent[2].method, "POST");
  EXPECT_EQ(lab.transport.sent[2].body, "body");
  EXPECT_EQ(lab.keys().size(), 1U);
}

TEST(RetryClient, a_redirect_that_must_not_be_followed_fails) {
  Policy policy = careful();
  policy.redirects = 3;
  Lab lab({answer(302, {{"Location", "ftp://b.test/"}})}, unjittered(policy));
  const OperationResult result = lab.send({.url = kUrl});
  EXPECT_EQ(result.reason, Reason::redirect_refused);
  EXPECT_EQ(result.response().status, 302);
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
