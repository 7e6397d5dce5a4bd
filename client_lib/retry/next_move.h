// SPDX-License-Identifier: MIT
// The retry decision: what an operation does next. It opens no socket, reads no clock, draws
// from no generator but the one handed in, and allocates nothing; so the same code runs over
// sockets, in virtual time and in tests.
//
//   Progress progress = begin(facts);
//   next_move(policy, progress, nullptr, context)   -> AttemptNow, or Finish
//   ... the attempt is made ...
//   next_move(policy, progress, &outcome, context)  -> WaitUntil, FollowRedirect or Finish
//   ... the wait is over ...
//   next_move(policy, progress, nullptr, context)   -> AttemptNow, or Finish
//
// Every operation that was begun comes to a Finish: a caller that gives up while waiting passes
// an outcome with Failure::cancelled.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "client_lib/base/random.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/backoff.h"
#include "client_lib/retry/breaker.h"
#include "client_lib/retry/budget.h"
#include "client_lib/retry/outcome.h"
#include "client_lib/retry/policy.h"
#include "client_lib/retry/reason.h"
#include "client_lib/retry/wait.h"
#include "client_lib/retry/whether.h"

namespace retrylab {

// Both clocks at one moment. The wall clock is read for HTTP dates alone.
struct Now {
  Instant at;
  WallTime wall;
};

// What all operations of a client share. Null: the policy has none.
struct Guards {
  Budget* budget = nullptr;
  Breaker* breaker = nullptr;  // of the host that the request goes to
};

// What comes with every event, besides the policy.
struct Context {
  Now now;
  Random& random;  // this operation's jitter stream
  Guards guards;
};

// Where one operation stands.
struct Progress {
  Facts facts{};
  Instant started{};            // of the first attempt
  std::uint32_t attempts = 0;   // made so far
  std::uint32_t redirects = 0;  // followed so far
  BackoffState backoff{};
  BudgetHold budget{};
  BreakerPermit permit{};
  bool begun = false;
  bool had_408 = false;  // it was retried after one already
};

inline Progress begin(const Facts& facts) {
  return Progress{.facts = facts};
}

// Send the request now; it has this long (kForever: no limit). progress.attempts counts it.
struct AttemptNow {
  Duration time{0};
};

// Do nothing until `at`, then ask again. Never early. In the past: at once.
struct WaitUntil {
  Instant at;
  Duration wait{0};
  WaitCause cause = WaitCause::backoff;
};

// Turn the request into the one its Location names (redirect.h), set progress.facts.method, then
// wait and ask again.
struct FollowRedirect {
  WaitUntil wait;
};

// The operation is over; what the last outcome was is the caller's to tell.
struct Finish {
  Reason reason = Reason::succeeded;
};

using Move = std::variant<AttemptNow, WaitUntil, FollowRedirect, Finish>;

// `outcome` is what the attempt just made came to; null at the beginning and after a wait.
Move next_move(const Policy& policy, Progress& progress, const Outcome* outcome,
               const Context& context);

// "backoff", "retry_after", "redirect".
std::string_view word(WaitCause cause);

}  // namespace retrylab
