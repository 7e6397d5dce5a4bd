// SPDX-License-Identifier: MIT
#include "server/audit/policy_card.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "client_lib/base/check.h"
#include "client_lib/retry/policy_json.h"

namespace retrylab::audit {
namespace {

// A client that was stopped while still trying.
constexpr std::uint32_t kWithoutEnd = 1'000;
constexpr Duration kLongest = std::chrono::hours(24 * 366);

Backoff backoff_of(const BackoffFound& found) {
  Backoff backoff{
      .base = Duration(0), .factor_thousandths = 1000, .cap = Duration(0), .jitter = Jitter::none};
  if (!found.seen) return backoff;
  backoff.base = found.base;
  backoff.first_at_once = found.first_at_once;
  backoff.jitter = found.jitter;
  backoff.factor_thousandths = std::clamp<std::int64_t>(found.factor_thousandths, 1'000, 1'000'000);
  backoff.cap = std::max(found.cap.value_or(found.longest), found.base);
  // A policy cannot say "and up to so much": as wide before the first retry, and as long.
  if (found.added > Duration(0)) {
    const double half = static_cast<double>(found.added.count()) / 2;
    const double middle = static_cast<double>(found.base.count()) + half;
    backoff.base += found.added / 2;
    backoff.cap = std::max(backoff.cap, backoff.base);
    backoff.jitter = Jitter::proportional;
    backoff.spread = {static_cast<std::uint64_t>(std::lround(1000 * half / middle)), 1000};
  }
  if (found.jitter == Jitter::proportional) {
    backoff.spread = {
        static_cast<std::uint64_t>(std::lround(std::clamp(found.spread, 0.0, 1.0) * 1000)), 1000};
  }
  return backoff;
}

ServerWaitPolicy server_wait_of(const WaitsFound& found) {
  ServerWaitPolicy policy;
  policy.limit = kLongest;
  if (found.seconds == Answer::no) {
    policy.rule = RetryAfterRule::ignore;
  } else if (found.clamp) {
    policy.rule = RetryAfterRule::clamp;
    policy.limit = *found.clamp;
  } else if (found.replaced) {
    policy.rule = RetryAfterRule::honour_or_back_off;
    policy.limit = found.longest_kept.value_or(Duration(0));
  } else if (found.refused) {
    policy.limit = found.longest_kept.value_or(Duration(0));
  }
  return policy;
}

StatusSet statuses_of(const Findings& findings) {
  StatusSet statuses;
  for (const Reaction& one : findings.reactions) {
    int status = 0;
    const auto [end, error] =
        std::from_chars(one.what.data(), one.what.data() + one.what.size(), status);
    if (error == std::errc() && one.retried == Answer::yes) statuses.insert(status);
  }
  return statuses;
}

// Any failure of that method is retried, without the protection of a key.
bool repeats(const Findings& findings, std::string_view method) {
  return std::ranges::any_of(findings.reactions, [method](const Reaction& one) {
    return one.method == method && !one.has_key && one.retried == Answer::yes;
  });
}

}  // namespace

Policy policy_of(const Findings& findings) {
  Policy policy;
  policy.attempts = findings.attempts.without_end
                        ? std::max(kWithoutEnd, findings.attempts.most.value_or(1))
                        : findings.attempts.most.value_or(1);
  policy.backoff = backoff_of(findings.backoff);
  policy.deadline = findings.times.deadline.value_or(kForever);
  policy.attempt_timeout = findings.times.attempt_timeout.value_or(kForever);
  policy.server_wait = server_wait_of(findings.waits);
  policy.statuses = statuses_of(findings);
  if (repeats(findings, "POST")) policy.methods.emplace_back("POST");
  policy.should_retry = ShouldRetryHint::ignore;
  auto sound = checked(std::move(policy));
  CHECK(sound.has_value());
  return *sound;
}

std::string policy_card(const Findings& findings) {
  return policy_to_json(policy_of(findings)) + "\n";
}

}  // namespace retrylab::audit
