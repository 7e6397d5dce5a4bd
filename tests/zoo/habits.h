// SPDX-License-Identifier: MIT
// The decisions of a retrying client, each small and replaceable: a right client is one whose
// habits are all right, a wrong one has a single one replaced. The reference model beside
// client_lib/retry, with which it shares no decision: slower and simpler.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "client_lib/base/random.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/outcome.h"
#include "server/scenario/expect.h"
#include "server/sim/virtual_run.h"
#include "tests/zoo/call.h"
#include "tests/zoo/shared.h"

namespace retrylab::zoo {

// In place of a wait: one without end.
inline constexpr Duration kHangs{-1};

// The numbers of a retry policy.
struct Policy {
  int attempts = 5;
  Duration base{std::chrono::milliseconds(250)};
  std::int64_t factor_thousandths = 2000;
  bool first_ceiling_doubled = false;
  Duration cap{std::chrono::seconds(8)};
  scenario::Jitter jitter = scenario::Jitter::full;
  Duration deadline{std::chrono::seconds(30)};
  Duration attempt_timeout{std::chrono::seconds(10)};
  std::optional<scenario::ExpectBudget> budget;
  std::optional<scenario::ExpectSilence> breaker;
  std::optional<scenario::ExpectThrottle> throttle;
};

// Where an operation stands; every decision is a function of it.
struct Progress {
  Policy policy;
  Call call;
  int sent = 0;               // attempts so far
  int asked = 0;              // of the waits between them, at the server's wish
  std::string key;            // made before the first attempt
  Instant started;            // of the operation
  Instant sent_at;            // of the last attempt
  Instant now;                // of its outcome
  WallTime wall;              // of its outcome
  Duration previous_wait{0};  // zero before the first retry
  Outcome outcome;            // of the last attempt

  // Of the last answer; 0 when there was none.
  int status() const { return outcome.answered() ? outcome.response.status : 0; }
};

// The decisions, each replaceable. Those with a Random draw from the client's own stream.
struct Habits {
  Policy policy;

  // Whether: the answer is what the caller wanted; the outcome is worth another attempt.
  std::function<bool(const Progress&)> accepts;
  std::function<bool(const Progress&)> retries;
  // Whether the answer sends it elsewhere.
  std::function<bool(const Progress&)> follows;
  // How long: what the server asks for (nothing: no valid Retry-After; kHangs: the client never
  // wakes up), its own backoff before retry number `sent`, and what becomes of the two.
  std::function<std::optional<Duration>(const Progress&)> asked;
  std::function<Duration(const Progress&, Random&)> backoff;
  std::function<Duration(std::optional<Duration> asked, Duration backoff)> wait;
  // May we: another attempt; that sleep; the attempt after it.
  std::function<bool(const Progress&)> has_attempts_left;
  std::function<bool(const Progress&, Duration wait)> may_sleep;
  std::function<bool(const Progress&, Instant now)> may_send;
  // What is sent: the request without its key, the key of the coming attempt ("" : none), and how
  // long to wait for the answer.
  std::function<sim::Send(const Progress&)> request;
  std::function<std::string(const Progress&, Random&)> key;
  std::function<Duration(const Progress&)> attempt_timeout;
  // Of all operations together: one more retry is within the budget; the breaker lets an attempt
  // through; an outcome is the server's trouble; the breaker hears of it.
  std::function<bool(const Progress&, const Shared&, Instant now)> within_budget;
  std::function<bool(const Policy&, Shared&, Instant now)> lets_through;
  std::function<bool(const Progress&)> is_trouble;
  std::function<void(const Policy&, Shared&, bool failed, Instant now)> notes;
};

// The numbers that the scenario declares, else those of the `careful` profile.
Policy declared_policy(const scenario::Expect& expect, scenario::Jitter jitter);

// Every decision as good practice has it.
Habits right_habits(const Policy& policy);

// The longest wait before the n-th retry (1-based): min(cap, base * factor^(n-1)).
Duration ceiling(const Policy& policy, int retry);

}  // namespace retrylab::zoo
