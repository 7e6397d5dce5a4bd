// SPDX-License-Identifier: MIT
#include "server/engine/connections_script.h"

namespace retrylab::engine {
namespace {

std::optional<Duration> window_of(const scenario::ConnectionStep& step) {
  return step.refuse ? step.refuse : step.accept_and_hang;
}

}  // namespace

void ConnectionsScript::enter(Instant now) {
  used_ = 0;
  if (index_ == script_.size()) return;
  if (const auto window = window_of(script_[index_])) window_until_ = saturating_add(now, *window);
}

// A window that is over gives way to the next position, which begins where it ended.
void ConnectionsScript::leave_windows(Instant now) {
  while (index_ < script_.size() && window_of(script_[index_]) && now >= window_until_) {
    ++index_;
    enter(window_until_);
  }
}

ConnectionsScript::Claimed ConnectionsScript::claim(Instant now) {
  leave_windows(now);
  if (index_ == script_.size()) return {};
  const scenario::ConnectionStep& step = script_[index_];
  if (step.refuse) return {.refused = true};
  if (step.accept_and_hang) return {.hangs = true};
  if (++used_ >= step.times) {
    ++index_;
    enter(now);
  }
  return {.step = &step};
}

Instant ConnectionsScript::refuses_until(Instant now) {
  leave_windows(now);
  const bool refuses = index_ < script_.size() && script_[index_].refuse;
  return refuses ? window_until_ : Instant::min();
}

}  // namespace retrylab::engine
