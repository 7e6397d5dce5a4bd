// SPDX-License-Identifier: MIT
#include "tests/zoo/right_client.h"

namespace retrylab::zoo {

sim::Move RightClient::next(const Outcome* outcome, Instant now, WallTime wall) {
  if (calls_begun_ == 0) started_ = now;
  if (outcome != nullptr) return judge(*outcome, now, wall);
  return idle_ ? begin(now, wall) : wake(now);
}

sim::Move RightClient::begin(Instant now, WallTime wall) {
  progress_ = Progress{.policy = habits_.policy,
                       .call = setting_.calls.at(calls_begun_),
                       .started = now,
                       .now = now,
                       .wall = wall};
  ++calls_begun_;
  idle_ = false;
  if (!habits_.lets_through(progress_.policy, *setting_.shared, now)) return over(false, now);
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
  (progress_.sent == 0 ? setting_.shared->firsts : setting_.shared->retries).push_back(now);
  ++progress_.sent;
  progress_.sent_at = now;
  return request;
}

sim::Move RightClient::judge(const Outcome& outcome, Instant now, WallTime wall) {
  progress_.outcome = outcome;
  progress_.now = now;
  progress_.wall = wall;
  habits_.notes(progress_.policy, *setting_.shared, habits_.is_trouble(progress_), now);
  if (habits_.accepts(progress_)) return over(true, now);
  if (habits_.follows(progress_)) return follow();
  const bool goes_on = habits_.retries(progress_) && habits_.has_attempts_left(progress_);
  return goes_on ? retry() : over(false, now);
}

// Another resource, so another count; the answer may ask to wait first (RFC 9110 §10.2.3).
sim::Move RightClient::follow() {
  Call& call = progress_.call;
  call.target = std::string(*find_header(progress_.outcome.response.headers, "Location"));
  if (progress_.status() == 303) {
    call = Call{.method = "GET", .target = call.target};
  }
  progress_.sent = 0;
  progress_.asked = 0;
  const Duration asked = habits_.asked(progress_).value_or(Duration{0});
  return sim::SleepUntil{saturating_add(progress_.now, asked)};
}

sim::Move RightClient::retry() {
  const std::optional<Duration> asked = habits_.asked(progress_);
  if (asked == kHangs) return sim::Done{.success = false, .hangs = true};
  const Duration wait = habits_.wait(asked, habits_.backoff(progress_, random_));
  if (!habits_.may_sleep(progress_, wait)) return over(false, progress_.now);
  progress_.previous_wait = wait;
  if (asked) ++progress_.asked;
  return sim::SleepUntil{saturating_add(progress_.now, wait)};
}

sim::Move RightClient::wake(Instant now) {
  const bool is_retry = progress_.sent > 0;
  const bool may = habits_.may_send(progress_, now) &&
                   (!is_retry || habits_.within_budget(progress_, *setting_.shared, now)) &&
                   habits_.lets_through(progress_.policy, *setting_.shared, now);
  return may ? send(now) : over(false, now);
}

sim::Move RightClient::over(bool success, Instant now) {
  if (calls_begun_ == setting_.calls.size()) return sim::Done{.success = success};
  idle_ = true;
  const Instant next = started_ + setting_.every * static_cast<std::int64_t>(calls_begun_);
  return sim::SleepUntil{std::max(now, next)};
}

}  // namespace retrylab::zoo
