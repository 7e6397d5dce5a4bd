// SPDX-License-Identifier: MIT
#include "client_lib/retry/whether.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "client_lib/retry/presets.h"

namespace retrylab {
namespace {

std::string dump(const Judgement& judgement) {
  switch (judgement.kind) {
    case Judgement::Kind::success:
      return "success";
    case Judgement::Kind::redirect:
      return "redirect";
    case Judgement::Kind::retryable:
      return judgement.throttled ? "retry, throttled" : "retry";
    case Judgement::Kind::final:
      break;
  }
  return std::string(word(judgement.reason));
}

Outcome answer(int status, Headers headers = {}, std::string body = "") {
  return {.response = {.status = status, .headers = std::move(headers), .body = std::move(body)}};
}

std::string judged(const Policy& policy, const Facts& facts, const Outcome& outcome) {
  const ServerWait wait =
      find_server_wait(outcome.response.headers, policy.server_wait.headers, WallTime());
  return dump(judge(policy, facts, outcome, wait));
}

constexpr Facts kGet{.method = "GET"};
constexpr Facts kPost{.method = "POST"};
constexpr Facts kPostWithKey{.method = "POST", .has_key = true};

TEST(Whether, every_status_of_a_careful_get) {
  const std::set<int> retried{408, 429, 502, 503, 504};
  for (int status = 200; status < 600; ++status) {
    const std::string expected = status < 400               ? "success"
                                 : status == 429            ? "retry, throttled"
                                 : retried.contains(status) ? "retry"
                                                            : "permanent_status";
    EXPECT_EQ(judged(careful(), kGet, answer(status)), expected) << status;
  }
}

TEST(Whether, every_status_of_a_careful_post) {
  const std::set<int> worth{408, 429, 502, 503, 504};
  for (int status = 400; status < 600; ++status) {
    EXPECT_EQ(judged(careful(), kPost, answer(status)),
              worth.contains(status) ? "not_idempotent" : "permanent_status")
        << status;
    EXPECT_EQ(judged(careful(), kPostWithKey, answer(status)),
              judged(careful(), kGet, answer(status)))
        << status;
  }
}

TEST(Whether, every_failure) {
  const struct {
    Failure failure;
    std::string get;
    std::string post;
  } rows[] = {
      {Failure::invalid_request, "invalid_request", "invalid_request"},
      {Failure::name_resolution, "retry", "retry"},
      {Failure::refused, "retry", "retry"},
      {Failure::connect_timeout, "retry", "retry"},
      {Failure::reset, "retry", "not_idempotent"},
      {Failure::closed, "retry", "not_idempotent"},
      {Failure::truncated, "retry", "not_idempotent"},
      {Failure::malformed, "retry", "not_idempotent"},
      {Failure::too_large, "permanent_failure", "permanent_failure"},
      {Failure::timeout, "retry", "not_idempotent"},
      {Failure::tls, "permanent_failure", "permanent_failure"},
      {Failure::cancelled, "cancelled", "cancelled"},
      {Failure::transport, "retry", "not_idempotent"},
  };
  for (const auto& row : rows) {
    const Outcome outcome{.failure = row.failure};
    EXPECT_EQ(judged(careful(), kGet, outcome), row.get) << word(row.failure);
    EXPECT_EQ(judged(careful(), kPost, outcome), row.post) << word(row.failure);
    EXPECT_EQ(judged(careful(), kPostWithKey, outcome), row.get) << word(row.failure);
  }
  EXPECT_EQ(std::size(rows), static_cast<std::size_t>(Failure::transport));  // all but none
}

TEST(Whether, every_status_of_every_preset) {
  std::set<int> server_errors;
  for (int status = 500; status < 600; ++status) server_errors.insert(status);
  const struct {
    std::string_view preset;
    std::set<int> retried;
  } rows[] = {
      {"careful", {408, 429, 502, 503, 504}},
      {"aws_standard_2_0", {429, 500, 502, 503, 504}},
      {"aws_standard_2_1", {429, 500, 502, 503, 504}},
      {"grpc", {429, 502, 503, 504}},
      {"envoy", server_errors},
      {"google_sre", {408, 429, 502, 503, 504}},
  };
  for (const auto& row : rows) {
    std::set<int> retried;
    for (int status = 100; status < 600; ++status) {
      if (judged(*find_preset(row.preset), kGet, answer(status)).starts_with("retry")) {
        retried.insert(status);
      }
    }
    EXPECT_EQ(retried, row.retried) << row.preset;
  }
  EXPECT_EQ(std::size(rows), preset_names().size());
}

TEST(Whether, every_method) {
  const struct {
    std::string_view method;
    std::string expected;
  } rows[] = {{"GET", "retry"},
              {"HEAD", "retry"},
              {"OPTIONS", "retry"},
              {"TRACE", "retry"},
              {"PUT", "retry"},
              {"DELETE", "retry"},
              {"POST", "not_idempotent"},
              {"PATCH", "not_idempotent"},
              {"CONNECT", "not_idempotent"},
              {"get", "not_idempotent"}};
  for (const auto& row : rows) {
    EXPECT_EQ(judged(careful(), {.method = row.method}, answer(503)), row.expected) << row.method;
  }
  Policy any;
  any.methods = {"*"};
  EXPECT_EQ(judged(any, kPost, answer(503)), "retry");
}

TEST(Whether, a_post_is_repeated_where_the_status_is_trusted_to_mean_not_executed) {
  Policy policy;
  policy.not_executed_statuses = {429, 503};
  EXPECT_EQ(judged(policy, kPost, answer(503)), "retry");
  EXPECT_EQ(judged(policy, kPost, answer(504)), "not_idempotent");
}

TEST(Whether, a_body_that_cannot_be_sent_again_is_not) {
  const Facts facts{.method = "PUT", .repeatable_body = false};
  EXPECT_EQ(judged(careful(), facts, answer(503)), "body_not_repeatable");
  EXPECT_EQ(judged(careful(), facts, {.failure = Failure::refused}), "body_not_repeatable");
  EXPECT_EQ(judged(careful(), facts, answer(400)), "permanent_status");
}

TEST(Whether, a_413_is_retried_only_when_it_says_when) {
  EXPECT_EQ(judged(careful(), kGet, answer(413)), "permanent_status");
  EXPECT_EQ(judged(careful(), kGet, answer(413, {{"Retry-After", "2"}})), "retry");
  EXPECT_EQ(judged(careful(), kGet, answer(413, {{"Retry-After", "soon"}})), "permanent_status");
  EXPECT_EQ(judged(careful(), kPost, answer(413, {{"Retry-After", "2"}})), "not_idempotent");
}

TEST(Whether, a_409_for_a_key_in_progress_is_retried_and_a_plain_one_is_not) {
  const struct {
    Outcome outcome;
    std::string expected;
  } rows[] = {
      {answer(409), "permanent_status"},
      {answer(409, {}, "{\"error\": \"version conflict\"}"), "permanent_status"},
      {answer(409, {}, "{\"code\": \"idempotency_key_in_use\"}"), "retry"},
      {answer(409, {}, "{\"title\": \"A request is outstanding for this Idempotency-Key\"}"),
       "retry"},
      {answer(409, {{"Link", "<https://x.test/idempotency>; rel=\"describedby\""}}), "retry"},
      {answer(409, {{"Retry-After", "1"}}), "retry"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(judged(careful(), kPostWithKey, row.outcome), row.expected);
    EXPECT_EQ(judged(careful(), kPost, row.outcome), "permanent_status");
  }
  EXPECT_EQ(judged(careful(), kPostWithKey, answer(422, {}, "idempotency")), "permanent_status");
}

TEST(Whether, should_retry_hints_are_heeded_as_the_policy_says) {
  const struct {
    ShouldRetryHint hint;
    int status;
    std::string value;
    std::string expected;
  } rows[] = {
      {ShouldRetryHint::ignore, 503, "false", "retry"},
      {ShouldRetryHint::ignore, 409, "true", "permanent_status"},
      {ShouldRetryHint::heed_no, 503, "false", "server_said_no"},
      {ShouldRetryHint::heed_no, 409, "true", "permanent_status"},
      {ShouldRetryHint::heed, 503, "false", "server_said_no"},
      {ShouldRetryHint::heed, 409, "true", "retry"},
      {ShouldRetryHint::heed, 409, "maybe", "permanent_status"},
      {ShouldRetryHint::heed, 200, "true", "success"},
  };
  for (const auto& row : rows) {
    for (const std::string name : {"x-should-retry", "Stripe-Should-Retry"}) {
      Policy policy;
      policy.should_retry = row.hint;
      EXPECT_EQ(judged(policy, kGet, answer(row.status, {{name, row.value}})), row.expected)
          << name << " " << row.value << " on " << row.status;
    }
  }
}

TEST(Whether, a_negative_pushback_stops) {
  EXPECT_EQ(judged(grpc(), kPost, answer(503, {{"grpc-retry-pushback-ms", "-1"}})),
            "server_said_no");
}

TEST(Whether, redirects_are_followed_only_when_the_policy_follows_any) {
  Policy policy;
  EXPECT_EQ(judged(policy, kGet, answer(302, {{"Location", "/b"}})), "success");
  policy.redirects = 5;
  for (const int status : {301, 302, 303, 307, 308}) {
    EXPECT_EQ(judged(policy, kGet, answer(status, {{"Location", "/b"}})), "redirect") << status;
    EXPECT_EQ(judged(policy, kGet, answer(status)), "success") << status;
  }
  for (const int status : {300, 304, 305, 306}) {
    EXPECT_EQ(judged(policy, kGet, answer(status, {{"Location", "/b"}})), "success") << status;
  }
}

}  // namespace
}  // namespace retrylab
