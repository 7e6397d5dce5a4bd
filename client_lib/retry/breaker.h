// SPDX-License-Identifier: MIT
// May we send at all? The running state of a circuit breaker, one per host: a plain value without
// a lock (the lock is in net/).
//
//   closed     --share of failures reaches the threshold-->  open
//   open       --cool-down over, a call asks-->              half_open (that call is a probe)
//   half_open  --every probe succeeds-->                     closed, with an empty window
//   half_open  --a probe fails, or never settles-->          open
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "client_lib/retry/breaker_policy.h"
#include "client_lib/retry/sliding_counts.h"

namespace retrylab {

// Hands a call's result back to the state that let it through: a result that arrives after the
// state changed counts for nothing.
struct BreakerPermit {
  std::uint64_t generation = 0;  // 0: none
};

class Breaker {
 public:
  enum class State { closed, open, half_open };

  explicit Breaker(const BreakerPolicy& policy);

  // A permit for one call, or nothing. Every permit is settled once.
  std::optional<BreakerPermit> admit(Instant now);
  // `failed` nothing: the call says nothing about the host (cancelled, or never sent).
  void settle(BreakerPermit permit, std::optional<bool> failed, Instant now);

  // A call at `at` would surely be refused: waiting for it is in vain.
  bool surely_refuses(Instant at) const { return state_ == State::open && at < open_until_; }

  State state() const { return state_; }
  const BreakerPolicy& policy() const { return policy_; }

 private:
  // The last results, oldest overwritten first.
  struct LastCalls {
    std::array<std::uint64_t, 16> failed_bits{};
    std::uint32_t next = 0;
    std::uint32_t count = 0;
    std::uint32_t failures = 0;
  };

  void open(Instant now);
  void close();
  void record(bool failed, Instant now);
  void record_in_calls(bool failed);
  bool over_threshold(Instant now) const;
  void settle_probe(std::optional<bool> failed, Instant now);

  BreakerPolicy policy_;
  State state_ = State::closed;
  std::uint64_t generation_ = 1;
  LastCalls last_calls_;
  SlidingCounts last_time_;  // calls, failures
  Instant open_until_{};
  Instant probes_until_{};
  std::uint32_t probes_started_ = 0;
  std::uint32_t probes_succeeded_ = 0;
};

}  // namespace retrylab
