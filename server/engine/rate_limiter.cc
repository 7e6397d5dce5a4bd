// SPDX-License-Identifier: MIT
#include "server/engine/rate_limiter.h"

#include <algorithm>

#include <fmt/format.h>

#include "server/engine/placeholders.h"

namespace retrylab::engine {
namespace {

using scenario::RateLimit;

std::uint32_t size_of(const RateLimit& rule) {
  return rule.kind == RateLimit::Kind::token_bucket ? rule.burst : rule.requests;
}

std::int64_t whole_milliseconds_up(Duration wait) {
  return std::max<std::int64_t>(std::chrono::ceil<std::chrono::milliseconds>(wait).count(), 0);
}

// What every form but Retry-After tells.
struct Numbers {
  std::string limit;
  std::string remaining;
  std::string reset;        // seconds from the answer's start
  std::string reset_epoch;  // seconds since 1970
  std::string per;          // of the policy
};

Numbers numbers_of(const RateLimit& rule, const LimitState& state, Instant start, WallTime wall) {
  const Instant reset = state.refused ? state.passes : state.full;
  const Duration wait = std::max(reset - start, Duration(0));
  const auto epoch = std::chrono::floor<std::chrono::seconds>(whole_second_up(wall + wait));
  return {std::to_string(size_of(rule)), std::to_string(state.remaining),
          std::to_string(whole_seconds_up(wait)), std::to_string(epoch.time_since_epoch().count()),
          std::to_string(std::max<std::int64_t>(whole_seconds_up(rule.per), 1))};
}

void tell(RateLimit::Tell form, const Numbers& numbers, const LimitState& state, Duration wait,
          Headers& headers) {
  switch (form) {
    case RateLimit::Tell::retry_after:
      if (state.refused) headers.push_back({"Retry-After", numbers.reset});
      return;
    case RateLimit::Tell::retry_after_ms:
      if (state.refused) {
        headers.push_back({"retry-after-ms", std::to_string(whole_milliseconds_up(wait))});
      }
      return;
    case RateLimit::Tell::x_ratelimit:
    case RateLimit::Tell::x_ratelimit_epoch:
      headers.push_back({"X-RateLimit-Limit", numbers.limit});
      headers.push_back({"X-RateLimit-Remaining", numbers.remaining});
      headers.push_back({"X-RateLimit-Reset", form == RateLimit::Tell::x_ratelimit
                                                  ? numbers.reset
                                                  : numbers.reset_epoch});
      return;
    case RateLimit::Tell::ratelimit:  // draft-ietf-httpapi-ratelimit-headers-10
      headers.push_back(
          {"RateLimit-Policy", fmt::format("\"default\";q={};w={}", numbers.limit, numbers.per)});
      headers.push_back(
          {"RateLimit", fmt::format("\"default\";r={};t={}", numbers.remaining, numbers.reset)});
      return;
    case RateLimit::Tell::ratelimit_three:  // its versions up to 07
      headers.push_back({"RateLimit-Limit", numbers.limit});
      headers.push_back({"RateLimit-Remaining", numbers.remaining});
      headers.push_back({"RateLimit-Reset", numbers.reset});
      return;
  }
}

}  // namespace

bool RateLimiter::ask(const std::string& caller, Instant now, LimitState& state) {
  auto found = callers_.find(caller);
  if (found == callers_.end()) {
    if (callers_.size() >= keys_max_) return false;
    found = callers_.emplace(caller, Caller{now, 0, now}).first;
  }
  state = rule_.kind == RateLimit::Kind::token_bucket ? ask_bucket(found->second, now)
                                                      : ask_window(found->second, now);
  return true;
}

// A window begins with the first request after the one before is over.
LimitState RateLimiter::ask_window(Caller& caller, Instant now) const {
  if (now >= saturating_add(caller.window, rule_.per)) caller = {now, 0, now};
  LimitState state;
  state.full = saturating_add(caller.window, rule_.per);
  state.refused = caller.used >= rule_.requests;
  if (!state.refused) ++caller.used;
  state.remaining = rule_.requests - caller.used;
  state.passes = state.remaining > 0 ? now : state.full;
  return state;
}

// A full bucket has `burst` tokens; one comes back every per / requests. In whole nanoseconds,
// with one instant for all the tokens that were taken.
LimitState RateLimiter::ask_bucket(Caller& caller, Instant now) const {
  const Duration each = rule_.per / rule_.requests;
  const Duration room = saturating_multiply(each, rule_.burst - 1);
  caller.spent = std::max(caller.spent, now);
  LimitState state;
  state.refused = caller.spent - now > room;
  if (!state.refused) caller.spent = saturating_add(caller.spent, each);
  state.full = caller.spent;
  state.passes = std::max(now, caller.spent - room);
  const Duration taken = caller.spent - now;
  const Duration whole = saturating_multiply(each, rule_.burst);
  const bool has_left = each > Duration(0) && whole > taken;
  state.remaining = has_left ? static_cast<std::uint64_t>((whole - taken) / each) : 0;
  return state;
}

Headers told_headers(const RateLimit& rule, const LimitState& state, Instant start, WallTime wall) {
  Headers headers;
  const Numbers numbers = numbers_of(rule, state, start, wall);
  const Duration wait = std::max(state.passes - start, Duration(0));
  for (const RateLimit::Tell form : rule.tells) tell(form, numbers, state, wait, headers);
  return headers;
}

}  // namespace retrylab::engine
