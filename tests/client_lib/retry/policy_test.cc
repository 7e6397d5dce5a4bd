// SPDX-License-Identifier: MIT
#include "client_lib/retry/policy.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "client_lib/retry/presets.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

TEST(Policy, every_preset_makes_sense) {
  for (const std::string_view name : preset_names()) {
    ASSERT_TRUE(find_preset(name)) << name;
    EXPECT_TRUE(checked(*find_preset(name))) << name;
  }
  EXPECT_FALSE(find_preset("reckless"));
}

// The numbers of the sources that presets.h names.
TEST(Policy, presets_have_the_numbers_of_their_sources) {
  const struct {
    std::string_view name;
    std::uint32_t attempts;
    Duration base;
    Duration cap;
    Jitter jitter;
    RetryAfterRule rule;
    Duration deadline;
  } rows[] = {
      {"careful", 5, 250ms, 8s, Jitter::full, RetryAfterRule::honour_or_fail, 30s},
      {"aws_standard_2_0", 3, 1s, 20s, Jitter::full, RetryAfterRule::clamp, kForever},
      {"aws_standard_2_1", 3, 50ms, 20s, Jitter::full, RetryAfterRule::clamp, kForever},
      {"grpc", 4, 100ms, 1s, Jitter::proportional, RetryAfterRule::honour_or_fail, kForever},
      {"envoy", 2, 25ms, 250ms, Jitter::full, RetryAfterRule::ignore, 15s},
      {"google_sre", 3, 250ms, 8s, Jitter::full, RetryAfterRule::honour_or_fail, 30s},
  };
  for (const auto& row : rows) {
    const Policy policy = find_preset(row.name).value();
    EXPECT_EQ(policy.attempts, row.attempts) << row.name;
    EXPECT_EQ(policy.backoff.base, row.base) << row.name;
    EXPECT_EQ(policy.backoff.factor_thousandths, 2000) << row.name;
    EXPECT_EQ(policy.backoff.cap, row.cap) << row.name;
    EXPECT_EQ(policy.backoff.jitter, row.jitter) << row.name;
    EXPECT_EQ(policy.server_wait.rule, row.rule) << row.name;
    EXPECT_EQ(policy.deadline, row.deadline) << row.name;
  }
  EXPECT_EQ(std::size(rows), preset_names().size());
}

TEST(Policy, nonsense_is_refused_with_the_member_and_the_reason) {
  const struct {
    std::function<void(Policy&)> spoil;
    std::string where;
  } rows[] = {
      {[](Policy& p) { p.attempts = 0; }, "attempts"},
      {[](Policy& p) { p.backoff.base = -1s; }, "base"},
      {[](Policy& p) { p.backoff.cap = 249ms; }, "cap"},
      {[](Policy& p) { p.backoff.cap = kForever; }, "cap"},
      {[](Policy& p) { p.backoff.factor_thousandths = 999; }, "factor"},
      {[](Policy& p) { p.backoff.factor_thousandths = 1'000'001; }, "factor"},
      {[](Policy& p) { p.backoff.throttle_base = 9s; }, "throttle_base"},
      {[](Policy& p) {
         p.backoff.spread = {3, 2};
       },
       "jitter_spread"},
      {[](Policy& p) {
         p.backoff.spread = {0, 0};
       },
       "jitter_spread"},
      {[](Policy& p) { p.deadline = 0s; }, "deadline"},
      {[](Policy& p) { p.attempt_timeout = 0s; }, "attempt_timeout"},
      {[](Policy& p) { p.server_wait.limit = -1s; }, "retry_after_limit"},
      {[](Policy& p) { p.server_wait.spread = -1s; }, "retry_after_spread"},
      {[](Policy& p) { p.server_wait.clamp_over_backoff = 5s; }, "clamp_over_backoff"},
      {[](Policy& p) { p.redirects = 101; }, "redirects"},
      {[](Policy& p) { p.budget = TokenBucketPolicy{.capacity = 0}; }, "budget.capacity"},
      {[](Policy& p) { p.budget = TokenBucketPolicy{.retry_cost = -1}; }, "budget"},
      {[](Policy& p) { p.budget = TokenBucketPolicy{.retry_cost = 600'000}; }, "budget"},
      {[](Policy& p) { p.budget = TokenBucketPolicy{.floor = 500'000}; }, "budget.floor"},
      {[](Policy& p) {
         p.budget = RetryWindowPolicy{.ratio = {11, 10}};
       },
       "budget.ratio"},
      {[](Policy& p) { p.budget = RetryWindowPolicy{.window = 0s}; }, "budget.window"},
      {[](Policy& p) {
         p.budget = RetryConcurrencyPolicy{.ratio = {2, 1}};
       },
       "budget.ratio"},
      {[](Policy& p) { p.breaker = BreakerPolicy{.calls = 0}; }, "breaker.window"},
      {[](Policy& p) { p.breaker = BreakerPolicy{.calls = 1025}; }, "breaker.window"},
      {[](Policy& p) { p.breaker = BreakerPolicy{.time = -1s}; }, "breaker.window"},
      {[](Policy& p) {
         p.breaker = BreakerPolicy{.threshold = {0, 1}};
       },
       "breaker.threshold"},
      {[](Policy& p) {
         p.breaker = BreakerPolicy{.threshold = {2, 1}};
       },
       "breaker.threshold"},
      {[](Policy& p) { p.breaker = BreakerPolicy{.min_calls = 0}; }, "breaker.min_calls"},
      {[](Policy& p) { p.breaker = BreakerPolicy{.min_calls = 101}; }, "breaker.min_calls"},
      {[](Policy& p) { p.breaker = BreakerPolicy{.cool_down = 0s}; }, "breaker.cool_down"},
      {[](Policy& p) { p.breaker = BreakerPolicy{.probes = 0}; }, "breaker.probes"},
      {[](Policy& p) { p.breaker = BreakerPolicy{.probe_timeout = 0s}; }, "breaker.probe_timeout"},
  };
  for (const auto& row : rows) {
    Policy policy = careful();
    row.spoil(policy);
    const auto result = checked(policy);
    ASSERT_FALSE(result) << row.where;
    EXPECT_EQ(result.error().where, row.where);
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
    EXPECT_FALSE(result.error().message.empty());
  }
}

}  // namespace
}  // namespace retrylab
