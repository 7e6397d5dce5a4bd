// SPDX-License-Identifier: MIT
#include "client_lib/retry/breaker.h"

#include <algorithm>

namespace retrylab {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

Breaker::Breaker(const BreakerPolicy& policy)
    : policy_(policy), last_time_(std::max<Duration>(policy.time, std::chrono::milliseconds(10))) {}

void Breaker::open(Instant now) {
  state_ = State::open;
  ++generation_;
  open_until_ = saturating_add(now, policy_.cool_down);
}

void Breaker::close() {
  state_ = State::closed;
  ++generation_;
  last_calls_ = {};
  last_time_ = SlidingCounts(std::max<Duration>(policy_.time, std::chrono::milliseconds(10)));
}

std::optional<BreakerPermit> Breaker::admit(Instant now) {
  if (state_ == State::half_open && now >= probes_until_) open(now);
  if (state_ == State::open) {
    if (now < open_until_) return std::nullopt;
    state_ = State::half_open;
    ++generation_;
    probes_until_ = saturating_add(now, policy_.probe_timeout);
    probes_started_ = 0;
    probes_succeeded_ = 0;
  }
  if (state_ == State::half_open) {
    if (probes_started_ == policy_.probes) return std::nullopt;
    ++probes_started_;
  }
  return BreakerPermit{generation_};
}

void Breaker::settle(BreakerPermit permit, std::optional<bool> failed, Instant now) {
  if (permit.generation != generation_) return;
  if (state_ == State::half_open) {
    settle_probe(failed, now);
  } else if (failed) {
    record(*failed, now);
  }
}

void Breaker::settle_probe(std::optional<bool> failed, Instant now) {
  if (!failed) {
    --probes_started_;  // its place is free again
  } else if (*failed) {
    open(now);
  } else if (++probes_succeeded_ == policy_.probes) {
    close();
  }
}

void Breaker::record(bool failed, Instant now) {
  if (policy_.time > Duration(0)) {
    last_time_.add_first(now);
    if (failed) last_time_.add_second(now);
  } else {
    record_in_calls(failed);
  }
  if (failed && over_threshold(now)) open(now);
}

void Breaker::record_in_calls(bool failed) {
  std::uint64_t& word = last_calls_.failed_bits[last_calls_.next / 64];
  const std::uint64_t bit = std::uint64_t{1} << (last_calls_.next % 64);
  const bool full = last_calls_.count == policy_.calls;
  if (full && (word & bit) != 0) --last_calls_.failures;
  if (!full) ++last_calls_.count;
  word = failed ? word | bit : word & ~bit;
  if (failed) ++last_calls_.failures;
  last_calls_.next = (last_calls_.next + 1) % policy_.calls;
}

bool Breaker::over_threshold(Instant now) const {
  SlidingCounts::Counts counts{.first = last_calls_.count, .second = last_calls_.failures};
  if (policy_.time > Duration(0)) counts = last_time_.sum(now);
  return counts.first >= policy_.min_calls && Wide{counts.second} * policy_.threshold.whole >=
                                                  Wide{counts.first} * policy_.threshold.part;
}

}  // namespace retrylab
