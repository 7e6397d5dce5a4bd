// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "client_lib/base/duration_text.h"
#include "client_lib/retry/policy_json.h"
#include "client_lib/retry/policy_json_words.h"

namespace retrylab {
namespace {

using Json = nlohmann::ordered_json;

template <typename Enum, std::size_t N>
std::string_view spell(const std::array<std::pair<std::string_view, Enum>, N>& words, Enum value) {
  for (const auto& [spelling, meaning] : words) {
    if (meaning == value) return spelling;
  }
  return "";
}

double from_thousandths(std::int64_t number) {
  return static_cast<double>(number) / 1000;
}

double from_ratio(Ratio ratio) {
  return static_cast<double>(ratio.part) / static_cast<double>(ratio.whole);
}

std::string none_or(Duration duration) {
  return duration == kForever ? "none" : format_duration(duration);
}

Json null_or(const std::optional<Duration>& duration) {
  return duration ? Json(format_duration(*duration)) : Json(nullptr);
}

Json write(const StatusSet& statuses) {
  Json list = Json::array();
  for (int status = StatusSet::kLowest; status <= StatusSet::kHighest; ++status) {
    if (statuses.contains(status)) list.push_back(status);
  }
  return list;
}

Json write(const WaitHeaders& headers) {
  Json list = Json::array();
  for (const auto& [spelling, member] : kWaitHeaders) {
    if (headers.*member) list.push_back(spelling);
  }
  return list;
}

struct WriteBudget {
  Json operator()(const TokenBucketPolicy& bucket) const {
    return {{"kind", "tokens"},
            {"capacity", from_thousandths(bucket.capacity)},
            {"retry_cost", from_thousandths(bucket.retry_cost)},
            {"timeout_cost", from_thousandths(bucket.timeout_cost)},
            {"throttle_cost", from_thousandths(bucket.throttle_cost)},
            {"failure_cost", from_thousandths(bucket.failure_cost)},
            {"first_try_gain", from_thousandths(bucket.first_try_gain)},
            {"success_gain", from_thousandths(bucket.success_gain)},
            {"refund_on_success", bucket.refund_on_success},
            {"floor", from_thousandths(bucket.floor)}};
  }
  Json operator()(const RetryWindowPolicy& window) const {
    return {{"kind", "window"},
            {"ratio", from_ratio(window.ratio)},
            {"of", spell(kOf, window.of)},
            {"per_second", window.per_second},
            {"window", format_duration(window.window)}};
  }
  Json operator()(const RetryConcurrencyPolicy& concurrency) const {
    return {{"kind", "concurrency"},
            {"ratio", from_ratio(concurrency.ratio)},
            {"minimum", concurrency.minimum}};
  }
};

Json write(const BreakerPolicy& breaker) {
  const bool by_time = breaker.time > Duration(0);
  return {{"window", by_time ? Json(format_duration(breaker.time)) : Json(breaker.calls)},
          {"threshold", from_ratio(breaker.threshold)},
          {"min_calls", breaker.min_calls},
          {"cool_down", format_duration(breaker.cool_down)},
          {"probes", breaker.probes},
          {"probe_timeout", format_duration(breaker.probe_timeout)},
          {"count_throttling", breaker.count_throttling}};
}

}  // namespace

std::string policy_to_json(const Policy& policy) {
  const Backoff& backoff = policy.backoff;
  const ServerWaitPolicy& server = policy.server_wait;
  const Json json{
      {"attempts", policy.attempts},
      {"base", format_duration(backoff.base)},
      {"factor", from_thousandths(backoff.factor_thousandths)},
      {"cap", format_duration(backoff.cap)},
      {"first_ceiling", spell(kFirstCeilings, backoff.first_ceiling_doubled)},
      {"first_retry", spell(kFirstRetries, backoff.first_at_once)},
      {"jitter", spell(kJitters, backoff.jitter)},
      {"jitter_spread", from_ratio(backoff.spread)},
      {"throttle_base", null_or(backoff.throttle_base)},
      {"deadline", none_or(policy.deadline)},
      {"attempt_timeout", none_or(policy.attempt_timeout)},
      {"retry_after", spell(kRules, server.rule)},
      {"retry_after_limit", null_or(server.limit)},
      {"retry_after_spread", format_duration(server.spread)},
      {"clamp_over_backoff", null_or(server.clamp_over_backoff)},
      {"retry_after_headers", write(server.headers)},
      {"statuses", write(policy.statuses)},
      {"methods", policy.methods},
      {"not_executed_statuses", write(policy.not_executed_statuses)},
      {"should_retry", spell(kHints, policy.should_retry)},
      {"redirects", policy.redirects},
      {"budget", policy.budget ? std::visit(WriteBudget(), *policy.budget) : Json(nullptr)},
      {"breaker", policy.breaker ? write(*policy.breaker) : Json(nullptr)}};
  return json.dump();
}

}  // namespace retrylab
