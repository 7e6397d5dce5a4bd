// SPDX-License-Identifier: MIT
// What the client sends again and again: keys, bodies, redirected requests; and the codings of the
// answers.
#include "client_lib/net/retry_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/client_lib/net/client_lab.h"
#include "tests/client_lib/net/gzip.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::MatchesRegex;

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

}  // namespace
}  // namespace retrylab
