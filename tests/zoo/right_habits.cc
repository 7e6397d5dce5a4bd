// SPDX-License-Identifier: MIT
// The right decision for every part of Habits.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/zoo/habits.h"
#include "tests/zoo/server_wish.h"

namespace retrylab::zoo {
namespace {

using scenario::Jitter;

bool answered_well(const Progress& progress) {
  return progress.status() >= 200 && progress.status() < 300;
}

// Repeating cannot do harm: the method says so, or a key protects the operation.
bool repeatable(const Progress& progress) {
  return is_idempotent_method(progress.call.method) || !progress.call.key_header.empty();
}

bool worth_retrying(const Progress& progress) {
  switch (progress.outcome.failure) {
    case Failure::none:
      break;
    case Failure::refused:
    case Failure::connect_timeout:
      return true;
    case Failure::reset:
    case Failure::closed:
    case Failure::truncated:
    case Failure::malformed:
    case Failure::timeout:
    case Failure::transport:
      return repeatable(progress);
    case Failure::too_large:
    case Failure::invalid_request:
    case Failure::name_resolution:
    case Failure::tls:
    case Failure::cancelled:
      return false;
  }
  constexpr std::array kTransient{408, 429, 502, 503, 504};
  const bool transient = std::ranges::count(kTransient, progress.status()) > 0;
  // Our own earlier attempt is still being worked on: nobody else has this key.
  const bool in_progress =
      progress.status() == 409 && progress.sent > 1 && !progress.call.key_header.empty();
  return repeatable(progress) && (transient || in_progress);
}

Duration jittered(const Progress& progress, Random& random) {
  const Policy& policy = progress.policy;
  const Duration top = ceiling(policy, progress.sent);
  switch (policy.jitter) {
    case Jitter::none:
      return top;
    case Jitter::full:
    case Jitter::any:
      return random.between(Duration{0}, top);
    case Jitter::equal:
      return top / 2 + random.between(Duration{0}, top / 2);
    case Jitter::decorrelated: {
      const Duration previous = std::max(progress.previous_wait, policy.base);
      return std::min(policy.cap, random.between(policy.base, previous * 3));
    }
  }
  return top;
}

// Retry-After first: never earlier than the server asks, whatever the own backoff says.
Duration longer(std::optional<Duration> asked, Duration backoff) {
  return std::max(asked.value_or(Duration{0}), backoff);
}

Instant deadline(const Progress& progress) {
  return progress.started + progress.policy.deadline;
}

bool ends_in_time(const Progress& progress, Duration wait) {
  return saturating_add(progress.now, wait) < deadline(progress);
}

// A version 4 UUID.
std::string fresh_uuid(Random& random) {
  const std::uint64_t high = random.next();
  const std::uint64_t low = random.next();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32U, (high >> 16U) & 0xffffU,
                     high & 0xfffU, 0x8000U | ((low >> 48U) & 0x3fffU), low & 0xffffffffffffU);
}

std::string same_key(const Progress& progress, Random& random) {
  if (progress.sent > 0) return progress.key;
  const std::string key = fresh_uuid(random);
  return progress.call.quotes_key ? '"' + key + '"' : key;
}

sim::Send same_request(const Progress& progress) {
  const Call& call = progress.call;
  return {.method = call.method, .target = call.target, .headers = call.headers, .body = call.body};
}

bool is_sent_elsewhere(const Progress& progress) {
  constexpr std::array kRedirects{301, 302, 303, 307, 308};
  return std::ranges::count(kRedirects, progress.status()) > 0 &&
         find_header(progress.outcome.response.headers, "Location").has_value();
}

bool within_budget(const Progress& progress, const Shared& shared, Instant now) {
  const auto& budget = progress.policy.budget;
  return !budget || within(*budget, shared, now);
}

bool lets_through(const Policy& policy, Shared& shared, Instant now) {
  if (policy.throttle && !is_accepted_share(*policy.throttle, shared, now)) return false;
  return !policy.breaker || let_through(*policy.breaker, shared, now);
}

bool is_trouble(const Progress& progress) {
  const int status = progress.status();
  return status == 0 || status == 429 || status >= 500;
}

void notes(const Policy& policy, Shared& shared, bool failed, Instant now) {
  if (!failed) shared.accepted.push_back(now);
  if (policy.breaker) note(*policy.breaker, shared, failed, now);
}

}  // namespace

Duration ceiling(const Policy& policy, int retry) {
  Duration top = policy.base;
  const int doublings = retry - 1 + (policy.first_ceiling_doubled ? 1 : 0);
  for (int i = 0; i < doublings && top < policy.cap; ++i) {
    top = saturating_multiply(top, policy.factor_thousandths) / 1000;
  }
  return std::min(policy.cap, top);
}

Policy declared_policy(const scenario::Expect& expect, Jitter jitter) {
  Policy policy;
  policy.jitter = jitter;
  if (expect.backoff) {
    policy.base = expect.backoff->base.value_or(policy.base);
    policy.cap = expect.backoff->cap.value_or(policy.cap);
    policy.factor_thousandths = expect.backoff->factor_thousandths;
    policy.first_ceiling_doubled = expect.backoff->first_ceiling_doubled;
  }
  // An exact number is what a script takes, not what a client is set to.
  if (expect.attempts && expect.attempts->max && expect.attempts->max != expect.attempts->min) {
    policy.attempts = static_cast<int>(*expect.attempts->max);
  }
  if (expect.attempt_timeout) policy.attempt_timeout = *expect.attempt_timeout;
  policy.budget = expect.budget;
  policy.breaker = expect.silence;
  policy.throttle = expect.throttle;
  if (expect.total_time) policy.deadline = expect.total_time->max.value_or(policy.deadline);
  return policy;
}

Habits right_habits(const Policy& policy) {
  return {
      .policy = policy,
      .accepts = answered_well,
      .retries = worth_retrying,
      .follows = is_sent_elsewhere,
      .asked = [](const Progress& p) { return asked_wait(p.outcome.response.headers, p.wall); },
      .backoff = jittered,
      .wait = longer,
      .has_attempts_left = [](const Progress& p) { return p.sent < p.policy.attempts; },
      .may_sleep = ends_in_time,
      .may_send = [](const Progress& p, Instant now) { return now < deadline(p); },
      .request = same_request,
      .key = same_key,
      .attempt_timeout =
          [](const Progress& p) { return std::min(p.policy.attempt_timeout, deadline(p) - p.now); },
      .within_budget = within_budget,
      .lets_through = lets_through,
      .is_trouble = is_trouble,
      .notes = notes,
  };
}

}  // namespace retrylab::zoo
