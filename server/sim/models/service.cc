// SPDX-License-Identifier: MIT
#include "server/sim/models/service.h"

#include <algorithm>

namespace retrylab::sim {

Service::Answer FailingService::arrive(Instant, Random& fate) {
  return {.status = fate.chance(failure_) ? status_ : 200};
}

Service::Answer SlowingService::arrive(Instant, Random&) {
  return {.after = base_ + per_attempt_ * serving_++};
}

void SlowingService::leave(Instant) {
  --serving_;
}

Service::Answer WindowService::arrive(Instant now, Random&) {
  const auto window = static_cast<std::size_t>(now.time_since_epoch() / window_);
  if (window >= arrivals_.size()) arrivals_.resize(window + 1);
  return {.status = ++arrivals_[window] <= capacity_ ? 200 : 503};
}

Service::Answer QueueService::arrive(Instant now, Random&) {
  const Answer shed{.status = 503, .retry_after = settings_.retry_after};
  const bool out = now >= settings_.outage_from && now < settings_.outage_until;
  if (out) return settings_.hangs ? Answer{.status = 0} : shed;
  free_at_ = std::max(free_at_, now);
  // Those before it, the one being served included.
  const Duration backlog = free_at_ - now;
  if (backlog > settings_.service_time * settings_.queue) return shed;
  free_at_ += settings_.service_time;
  return {.after = free_at_ - now};
}

}  // namespace retrylab::sim
