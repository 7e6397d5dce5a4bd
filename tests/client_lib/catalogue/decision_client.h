// SPDX-License-Identifier: MIT
// The client's decision as a client in virtual time: nothing of it is changed or added to.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "client_lib/retry/next_move.h"
#include "server/sim/virtual_run.h"

namespace retrylab {

class DecisionClient : public sim::Client {
 public:
  DecisionClient(Policy policy, sim::Send request, std::uint64_t seed)
      : policy_(std::move(policy)),
        request_(std::move(request)),
        random_(Random::stream(seed, "jitter")),
        progress_(
            begin({.method = request_.method,
                   .has_key = find_header(request_.headers, "Idempotency-Key").has_value()})) {}

  sim::Move next(const Outcome* outcome, Instant now, WallTime wall) override {
    const Move move = next_move(policy_, progress_, outcome, {{now, wall}, random_, {}});
    if (const auto* attempt = std::get_if<AttemptNow>(&move)) {
      sim::Send send = request_;
      if (attempt->time != kForever) send.timeout = attempt->time;
      return send;
    }
    if (const auto* wait = std::get_if<WaitUntil>(&move)) return sim::SleepUntil{wait->at};
    const auto* finish = std::get_if<Finish>(&move);
    reason = finish != nullptr ? finish->reason : Reason::redirect_refused;
    return sim::Done{.success = reason == Reason::succeeded};
  }

  Reason reason = Reason::cancelled;

 private:
  Policy policy_;
  sim::Send request_;
  Random random_;
  Progress progress_;
};

}  // namespace retrylab
