// SPDX-License-Identifier: MIT
#include "client_lib/retry/policy_json.h"

#include <gtest/gtest.h>

#include <string>

#include "client_lib/retry/presets.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

TEST(PolicyJson, an_empty_object_is_careful) {
  EXPECT_EQ(policy_to_json(*policy_from_json("{}")), policy_to_json(careful()));
}

TEST(PolicyJson, careful_in_full) {
  EXPECT_EQ(
      policy_to_json(careful()),
      R"({"attempts":5,"base":"250ms","factor":2.0,"cap":"8s","first_ceiling":"base",)"
      R"("first_retry":"wait","jitter":"full","jitter_spread":0.2,"throttle_base":null,"deadline":"30s",)"
      R"("attempt_timeout":"10s","retry_after":"honour_or_fail","retry_after_limit":null,)"
      R"("retry_after_spread":"250ms","clamp_over_backoff":null,)"
      R"("retry_after_headers":["retry-after"],"statuses":[408,429,502,503,504],)"
      R"("methods":["GET","HEAD","OPTIONS","TRACE","PUT","DELETE"],)"
      R"("not_executed_statuses":[],"should_retry":"heed_no","redirects":0,)"
      R"("budget":null,"breaker":null})");
}

TEST(PolicyJson, every_preset_survives_writing_and_reading) {
  for (const std::string_view name : preset_names()) {
    const std::string written = policy_to_json(*find_preset(name));
    const auto read = policy_from_json(written);
    ASSERT_TRUE(read) << name << ": " << read.error().where << " " << read.error().message;
    EXPECT_EQ(policy_to_json(*read), written);
  }
}

TEST(PolicyJson, members_change_a_preset) {
  const auto policy = policy_from_json(
      R"({"preset": "grpc", "attempts": 3, "factor": 1.5, "first_ceiling": "double",
          "first_retry": "at_once", "retry_after": "honour_or_back_off", "jitter": "decorrelated", "deadline": "2s", "attempt_timeout": "none",
          "retry_after_headers": ["retry-after", "ratelimit"], "statuses": [503],
          "methods": ["GET"], "budget": {"kind": "window", "ratio": 0.1, "of": "all_attempts",
          "per_second": 0, "window": "2m"},
          "breaker": {"window": "10s", "threshold": 0.8, "min_calls": 5, "probes": 2}})");
  ASSERT_TRUE(policy) << policy.error().where << ": " << policy.error().message;
  EXPECT_EQ(policy->attempts, 3U);
  EXPECT_EQ(policy->backoff.base, 100ms);
  EXPECT_EQ(policy->backoff.factor_thousandths, 1500);
  EXPECT_TRUE(policy->backoff.first_ceiling_doubled);
  EXPECT_TRUE(policy->backoff.first_at_once);
  EXPECT_EQ(policy->server_wait.rule, RetryAfterRule::honour_or_back_off);
  EXPECT_EQ(policy->backoff.jitter, Jitter::decorrelated);
  EXPECT_EQ(policy->deadline, 2s);
  EXPECT_EQ(policy->attempt_timeout, kForever);
  EXPECT_EQ(policy->server_wait.headers, (WaitHeaders{.retry_after = true, .ratelimit = true}));
  EXPECT_EQ(policy->statuses, StatusSet({503}));
  const auto& window = std::get<RetryWindowPolicy>(*policy->budget);
  EXPECT_EQ(window.ratio, (Ratio{100'000, 1'000'000}));
  EXPECT_EQ(window.of, RetryWindowPolicy::Of::all_attempts);
  EXPECT_EQ(window.per_second, 0U);
  EXPECT_EQ(policy->breaker->time, 10s);
  EXPECT_EQ(policy->breaker->probes, 2U);
}

TEST(PolicyJson, null_takes_a_budget_away) {
  EXPECT_FALSE(policy_from_json(R"({"preset": "grpc", "budget": null})")->budget);
}

TEST(PolicyJson, mistakes_are_named) {
  const struct {
    std::string text;
    std::string where;
  } rows[] = {
      {"", ""},
      {"[]", ""},
      {"{\"attempts\": 5", ""},
      {R"({"attempts": 5, "attempts": 6})", ""},
      {R"({"budget": {"kind": "tokens", "floor": 1, "floor": 2}})", ""},
      {R"({"atempts": 5})", "atempts"},
      {R"({"preset": "reckless"})", "preset"},
      {R"({"preset": 5})", "preset"},
      {R"({"attempts": "5"})", "attempts"},
      {R"({"attempts": -1})", "attempts"},
      {R"({"attempts": 0})", "attempts"},
      {R"({"attempts": 4294967296})", "attempts"},
      {R"({"base": 250})", "base"},
      {R"({"base": "250"})", "base"},
      {R"({"base": "9s"})", "cap"},
      {R"({"factor": "2"})", "factor"},
      {R"({"factor": 0.5})", "factor"},
      {R"({"jitter": "fuller"})", "jitter"},
      {R"({"first_ceiling": "twice"})", "first_ceiling"},
      {R"({"retry_after": "obey"})", "retry_after"},
      {R"({"retry_after_headers": ["retry-soon"]})", "retry_after_headers"},
      {R"({"retry_after_headers": "retry-after"})", "retry_after_headers"},
      {R"({"statuses": [99]})", "statuses"},
      {R"({"statuses": [503.5]})", "statuses"},
      {R"({"statuses": 503})", "statuses"},
      {R"({"methods": [1]})", "methods"},
      {R"({"should_retry": true})", "should_retry"},
      {R"({"budget": 5})", "budget."},
      {R"({"budget": {}})", "budget.kind"},
      {R"({"budget": {"kind": "purse"}})", "budget.kind"},
      {R"({"budget": {"kind": "window", "ratio": 1.1}})", "budget.ratio"},
      {R"({"budget": {"kind": "window", "capacity": 5}})", "budget.capacity"},
      {R"({"budget": {"kind": "tokens", "refund_on_success": 1}})", "budget.refund_on_success"},
      {R"({"breaker": {"window": 5000}})", "breaker.window"},
      {R"({"breaker": {"limit": 5}})", "breaker.limit"},
      {R"({"breaker": {"threshold": 0}})", "breaker.threshold"},
  };
  for (const auto& row : rows) {
    const auto result = policy_from_json(row.text);
    ASSERT_FALSE(result) << row.text;
    EXPECT_EQ(result.error().where, row.where) << row.text;
    EXPECT_FALSE(result.error().message.empty());
  }
}

}  // namespace
}  // namespace retrylab
