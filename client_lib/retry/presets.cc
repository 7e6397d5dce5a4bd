// SPDX-License-Identifier: MIT
#include "client_lib/retry/presets.h"

#include <array>
#include <string>

namespace retrylab {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 6> kNames{
    "careful", "aws_standard_2_0", "aws_standard_2_1", "grpc", "envoy", "google_sre"};

// What both generations of the AWS standard mode share.
Policy aws_standard() {
  Policy policy;
  policy.attempts = 3;
  policy.deadline = kForever;
  policy.attempt_timeout = 60s;
  policy.statuses = {429, 500, 502, 503, 504};
  policy.methods = {"*"};
  policy.should_retry = ShouldRetryHint::ignore;
  policy.server_wait.rule = RetryAfterRule::clamp;
  policy.server_wait.spread = 0s;
  policy.server_wait.headers = {.retry_after = false, .x_amz_retry_after = true};
  policy.backoff.cap = 20s;
  return policy;
}

}  // namespace

Policy careful() {
  Policy policy;
  policy.server_wait.spread = policy.backoff.base;
  return policy;
}

Policy aws_standard_2_0() {
  Policy policy = aws_standard();
  policy.backoff.base = 1s;
  policy.budget = TokenBucketPolicy{};
  return policy;
}

Policy aws_standard_2_1() {
  Policy policy = aws_standard();
  policy.backoff.base = 50ms;
  policy.backoff.throttle_base = 1s;
  policy.server_wait.clamp_over_backoff = 5s;
  policy.budget = TokenBucketPolicy{.retry_cost = 14'000, .timeout_cost = 14'000};
  return policy;
}

Policy grpc() {
  Policy policy;
  policy.attempts = 4;
  policy.backoff = {.base = 100ms, .cap = 1s, .jitter = Jitter::proportional, .spread = {1, 5}};
  policy.deadline = kForever;
  policy.attempt_timeout = kForever;
  policy.statuses = {429, 502, 503, 504};
  policy.methods = {"*"};
  policy.should_retry = ShouldRetryHint::ignore;
  policy.server_wait.headers = {.retry_after = false, .grpc_retry_pushback = true};
  policy.budget = TokenBucketPolicy{.capacity = 10'000,
                                    .retry_cost = 0,
                                    .timeout_cost = 0,
                                    .throttle_cost = 0,
                                    .failure_cost = 1'000,
                                    .success_gain = 100,
                                    .refund_on_success = false,
                                    .floor = 5'000};
  return policy;
}

Policy envoy() {
  Policy policy;
  policy.attempts = 2;
  policy.backoff = {.base = 25ms, .cap = 250ms};
  policy.deadline = 15s;
  policy.attempt_timeout = kForever;
  policy.statuses = StatusSet::all_server_errors();
  policy.methods = {"*"};
  policy.should_retry = ShouldRetryHint::ignore;
  policy.server_wait.rule = RetryAfterRule::ignore;
  policy.budget = RetryConcurrencyPolicy{};
  return policy;
}

Policy google_sre() {
  Policy policy = careful();
  policy.attempts = 3;
  policy.budget = budget_10_percent();
  return policy;
}

RetryWindowPolicy budget_10_percent() {
  return {
      .ratio = {1, 10}, .of = RetryWindowPolicy::Of::all_attempts, .per_second = 0, .window = 2min};
}

RetryWindowPolicy budget_20_percent() {
  return {
      .ratio = {1, 5}, .of = RetryWindowPolicy::Of::first_tries, .per_second = 10, .window = 10s};
}

std::optional<Policy> find_preset(std::string_view spelling) {
  std::string name(spelling);
  for (char& letter : name) {
    if (letter == '-' || letter == '.') letter = '_';
  }
  if (name == "careful") return careful();
  if (name == "aws_standard_2_0") return aws_standard_2_0();
  if (name == "aws_standard_2_1") return aws_standard_2_1();
  if (name == "grpc") return grpc();
  if (name == "envoy") return envoy();
  if (name == "google_sre") return google_sre();
  return std::nullopt;
}

std::span<const std::string_view> preset_names() {
  return kNames;
}

}  // namespace retrylab
