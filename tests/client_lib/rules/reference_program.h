// SPDX-License-Identifier: MIT
// A program that makes operations with the client's decision, in virtual time. Nothing of the
// decision is changed or added to; what is told here is what net/retry_client.cc does with sockets.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "client_lib/retry/next_move.h"
#include "server/sim/virtual_run.h"
#include "tests/zoo/call.h"

namespace retrylab {

// What the clients of one program share.
struct SharedState {
  explicit SharedState(const Policy& policy) {
    if (policy.budget) budget.emplace(*policy.budget);
    if (policy.breaker) breaker.emplace(*policy.breaker);
  }
  Guards guards() {
    return {.budget = budget ? &*budget : nullptr, .breaker = breaker ? &*breaker : nullptr};
  }
  std::optional<Budget> budget;
  std::optional<Breaker> breaker;
};

// Makes its calls one after another, the n-th not before n * every.
class ReferenceProgram : public sim::Client {
 public:
  struct Setting {
    std::vector<zoo::Call> calls;
    Duration every{0};
    std::shared_ptr<SharedState> shared;
  };
  ReferenceProgram(const Policy& policy, Setting setting, Random random)
      : policy_(policy), setting_(std::move(setting)), random_(random) {}

  sim::Move next(const Outcome* outcome, Instant now, WallTime wall) override;

 private:
  void begin_call();
  void follow(const Response& response);
  sim::Move send(Duration time) const;
  sim::Move over(Reason reason);

  Policy policy_;
  Setting setting_;
  Random random_;
  std::optional<Instant> started_;
  std::size_t calls_begun_ = 0;
  bool idle_ = true;  // between two operations
  zoo::Call call_;    // as it is now: redirects change it
  Progress progress_;
};

}  // namespace retrylab
