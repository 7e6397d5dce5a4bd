// SPDX-License-Identifier: MIT
#include "server/sim/event_queue.h"

#include <algorithm>
#include <utility>

namespace retrylab::sim {

void EventQueue::at(Instant when, Action action) {
  if (when == kNever) return;
  heap_.push_back({std::max(when, now_), sequence_++, std::move(action)});
  std::push_heap(heap_.begin(), heap_.end());
}

bool EventQueue::run_next(Instant limit) {
  if (heap_.empty() || heap_.front().when > limit) return false;
  std::pop_heap(heap_.begin(), heap_.end());
  Event event = std::move(heap_.back());
  heap_.pop_back();
  now_ = event.when;
  event.action();
  return true;
}

}  // namespace retrylab::sim
