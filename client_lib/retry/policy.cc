// SPDX-License-Identifier: MIT
#include "client_lib/retry/policy.h"

#include <optional>

namespace retrylab {
namespace {

using namespace std::chrono_literals;

struct Problem {
  const char* where;
  const char* message;
};
using Check = std::optional<Problem>;

// Keeps products of a wait and a factor, and waits and instants, far from overflow.
constexpr Duration kLongestWait = 24h * 366;

bool valid_share(Ratio ratio) {
  return ratio.whole >= 1 && ratio.whole <= 1'000'000'000 && ratio.part <= ratio.whole;
}

Check check_backoff(const Backoff& backoff) {
  if (backoff.base < 0s) return Problem{"base", "a wait cannot be negative"};
  if (backoff.cap < backoff.base) return Problem{"cap", "the cap is below the base"};
  if (backoff.cap > kLongestWait) return Problem{"cap", "the longest wait is 366 days"};
  if (backoff.factor_thousandths < 1'000 || backoff.factor_thousandths > 1'000'000) {
    return Problem{"factor", "a factor is 1 to 1000"};
  }
  if (backoff.throttle_base &&
      (*backoff.throttle_base < 0s || *backoff.throttle_base > backoff.cap)) {
    return Problem{"throttle_base", "it lies between zero and the cap"};
  }
  if (!valid_share(backoff.spread)) return Problem{"jitter_spread", "a spread is 0 to 1"};
  return std::nullopt;
}

Check check_times(const Policy& policy) {
  if (policy.deadline <= 0s) return Problem{"deadline", "no attempt would ever fit"};
  if (policy.attempt_timeout <= 0s) return Problem{"attempt_timeout", "no attempt would ever end"};
  return std::nullopt;
}

Check check_server_wait(const ServerWaitPolicy& wait) {
  if (wait.limit && (*wait.limit < 0s || *wait.limit > kLongestWait)) {
    return Problem{"retry_after_limit", "it lies between zero and 366 days"};
  }
  if (wait.spread < 0s || wait.spread > kLongestWait) {
    return Problem{"retry_after_spread", "it lies between zero and 366 days"};
  }
  if (!wait.clamp_over_backoff) return std::nullopt;
  if (wait.rule != RetryAfterRule::clamp) {
    return Problem{"clamp_over_backoff", "it needs \"retry_after\": \"clamp\""};
  }
  if (*wait.clamp_over_backoff < 0s || *wait.clamp_over_backoff > kLongestWait) {
    return Problem{"clamp_over_backoff", "it lies between zero and 366 days"};
  }
  return std::nullopt;
}

struct CheckBudget {
  Check operator()(const TokenBucketPolicy& bucket) const {
    if (bucket.capacity <= 0) return Problem{"budget.capacity", "an empty bucket never retries"};
    const std::int64_t parts[] = {bucket.retry_cost,   bucket.timeout_cost,   bucket.throttle_cost,
                                  bucket.failure_cost, bucket.first_try_gain, bucket.success_gain};
    for (const std::int64_t part : parts) {
      if (part < 0) return Problem{"budget", "costs and gains are zero or more"};
      if (part > bucket.capacity) return Problem{"budget", "a cost or gain exceeds the capacity"};
    }
    if (bucket.floor < 0 || bucket.floor >= bucket.capacity) {
      return Problem{"budget.floor", "it lies between zero and the capacity"};
    }
    return std::nullopt;
  }
  Check operator()(const RetryWindowPolicy& window) const {
    if (!valid_share(window.ratio)) return Problem{"budget.ratio", "a ratio is 0 to 1"};
    if (window.window < 10ms || window.window > 24h) {
      return Problem{"budget.window", "a window lasts 10ms to 24h"};
    }
    if (window.per_second > 1'000'000) return Problem{"budget.per_second", "at most a million"};
    return std::nullopt;
  }
  Check operator()(const RetryConcurrencyPolicy& concurrency) const {
    if (!valid_share(concurrency.ratio)) return Problem{"budget.ratio", "a ratio is 0 to 1"};
    return std::nullopt;
  }
};

Check check_breaker(const BreakerPolicy& breaker) {
  if (breaker.time < 0s || breaker.time > 24h || (breaker.time > 0s && breaker.time < 10ms)) {
    return Problem{"breaker.window", "a window lasts 10ms to 24h"};
  }
  if (breaker.time == 0s && (breaker.calls < 1 || breaker.calls > 1024)) {
    return Problem{"breaker.window", "a window counts 1 to 1024 calls"};
  }
  if (breaker.threshold.part == 0 || !valid_share(breaker.threshold)) {
    return Problem{"breaker.threshold", "a threshold is above 0 and at most 1"};
  }
  if (breaker.min_calls < 1 || (breaker.time == 0s && breaker.min_calls > breaker.calls)) {
    return Problem{"breaker.min_calls", "it lies between 1 and the calls of the window"};
  }
  if (breaker.cool_down <= 0s) return Problem{"breaker.cool_down", "it has to be above zero"};
  if (breaker.probes < 1) return Problem{"breaker.probes", "without a probe it never closes"};
  if (breaker.probe_timeout <= 0s) {
    return Problem{"breaker.probe_timeout", "it has to be above zero"};
  }
  return std::nullopt;
}

Check check(const Policy& policy) {
  if (policy.attempts == 0) return Problem{"attempts", "the first attempt counts: at least 1"};
  if (Check found = check_backoff(policy.backoff)) return found;
  if (Check found = check_times(policy)) return found;
  if (Check found = check_server_wait(policy.server_wait)) return found;
  if (policy.redirects > 100) return Problem{"redirects", "at most 100 are followed"};
  if (policy.budget) {
    if (Check found = std::visit(CheckBudget(), *policy.budget)) return found;
  }
  return policy.breaker ? check_breaker(*policy.breaker) : std::nullopt;
}

}  // namespace

Result<Policy> checked(Policy policy) {
  if (Check found = check(policy)) {
    return fail(ErrorCode::invalid_argument, found->where, found->message);
  }
  return policy;
}

std::string_view word(Jitter jitter) {
  switch (jitter) {
    case Jitter::none:
      return "none";
    case Jitter::full:
      return "full";
    case Jitter::equal:
      return "equal";
    case Jitter::decorrelated:
      return "decorrelated";
    case Jitter::proportional:
      return "proportional";
  }
  return "none";
}

std::string_view word(RetryAfterRule rule) {
  switch (rule) {
    case RetryAfterRule::honour_or_fail:
      return "honour_or_fail";
    case RetryAfterRule::honour_or_back_off:
      return "honour_or_back_off";
    case RetryAfterRule::clamp:
      return "clamp";
    case RetryAfterRule::ignore:
      return "ignore";
  }
  return "ignore";
}

}  // namespace retrylab
