// SPDX-License-Identifier: MIT
// A client that does everything right, as the state machine that the simulator runs. It is the
// reference model beside client_lib/retry, with which it shares no decision: slower, simpler, and
// made of small parts (Habits), so that a wrong client is this one with a single part replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client_lib/base/http.h"
#include "client_lib/base/random.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/outcome.h"
#include "server/scenario/scenario.h"
#include "server/sim/virtual_run.h"

namespace retrylab::zoo {

// What the caller wants, once.
struct Call {
  std::string method = "GET";
  std::string target = "/";
  Headers headers;
  std::string body;
  std::string key_header;  // "" : the operation has no idempotency key
};

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
};

// Where an operation stands; every decision is a function of it.
struct Progress {
  Policy policy;
  Call call;
  int sent = 0;               // attempts so far
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
  // How long: what the server asks for (nothing: no valid Retry-After), the client's own backoff
  // before retry number `sent`, and what becomes of the two. kForever hangs.
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
};

// The numbers that the scenario declares, else those of the `careful` profile.
Policy declared_policy(const scenario::Expect& expect, scenario::Jitter jitter);

// Every decision as good practice has it.
Habits right_habits(const Policy& policy);

// The request that the scenario's first route is about; with a key where the route has a store.
Call call_for(const scenario::Scenario& scenario);

// The longest wait before the n-th retry (1-based): min(cap, base * factor^(n-1)).
Duration ceiling(const Policy& policy, int retry);

// One operation after another; done with the last one's success.
class RightClient final : public sim::Client {
 public:
  RightClient(Habits habits, std::vector<Call> calls, Random random)
      : habits_(std::move(habits)), calls_(std::move(calls)), random_(random) {}

  sim::Move next(const Outcome* outcome, Instant now, WallTime wall) override;

 private:
  sim::Move begin(Instant now, WallTime wall);
  sim::Move judge(const Outcome& outcome, Instant now, WallTime wall);
  sim::Move send(Instant now);
  sim::Move over(bool success, Instant now, WallTime wall);

  Habits habits_;
  std::vector<Call> calls_;
  Random random_;
  std::size_t next_call_ = 0;
  Progress progress_;
};

}  // namespace retrylab::zoo
