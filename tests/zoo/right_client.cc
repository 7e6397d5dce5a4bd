// SPDX-License-Identifier: MIT
#include "tests/zoo/right_client.h"

#include "client_lib/base/check.h"

namespace retrylab::zoo {

sim::Move RightClient::next(const Outcome* outcome, Instant now, WallTime wall) {
  if (next_call_ == 0) return begin(now, wall);
  if (outcome != nullptr) return judge(*outcome, now, wall);
  return habits_.may_send(progress_, now) ? send(now) : over(false, now, wall);
}

sim::Move RightClient::begin(Instant now, WallTime wall) {
  CHECK(next_call_ < calls_.size());
  progress_ = Progress{};
  progress_.policy = habits_.policy;
  progress_.call = calls_[next_call_++];
  progress_.started = now;
  progress_.now = now;
  progress_.wall = wall;
  return send(now);
}

sim::Move RightClient::send(Instant now) {
  progress_.now = now;
  sim::Send request = habits_.request(progress_);
  request.timeout = habits_.attempt_timeout(progress_);
  if (!progress_.call.key_header.empty()) {
    const std::string key = habits_.key(progress_, random_);
    if (progress_.sent == 0) progress_.key = key;
    if (!key.empty()) request.headers.push_back({progress_.call.key_header, key});
  }
  ++progress_.sent;
  progress_.sent_at = now;
  return request;
}

sim::Move RightClient::judge(const Outcome& outcome, Instant now, WallTime wall) {
  progress_.outcome = outcome;
  progress_.now = now;
  progress_.wall = wall;
  if (habits_.accepts(progress_)) return over(true, now, wall);
  if (!habits_.retries(progress_) || !habits_.has_attempts_left(progress_)) {
    return over(false, now, wall);
  }
  const Duration wait = habits_.wait(habits_.asked(progress_), habits_.backoff(progress_, random_));
  if (wait == kForever) return sim::Done{.success = false, .hangs = true};
  if (!habits_.may_sleep(progress_, wait)) return over(false, now, wall);
  progress_.previous_wait = wait;
  return sim::SleepUntil{saturating_add(now, wait)};
}

sim::Move RightClient::over(bool success, Instant now, WallTime wall) {
  if (next_call_ < calls_.size()) return begin(now, wall);
  return sim::Done{.success = success};
}

}  // namespace retrylab::zoo
