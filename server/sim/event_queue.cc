// SPDX-License-Identifier: MIT
#include "server/sim/event_queue.h"

#include "server/sim/prefetch.h"

namespace retrylab::sim {

EventQueue::~EventQueue() {
  for (const auto& chunk : chunks_) {
    for (std::size_t i = 0; i < kChunk; ++i) {
      if (chunk[i].end != nullptr) chunk[i].end(chunk[i], false);
    }
  }
}

std::uint32_t EventQueue::free_slot() {
  if (free_.empty()) {
    const std::size_t first = chunks_.size() * kChunk;
    chunks_.push_back(std::make_unique<Slot[]>(kChunk));  // NOLINT(modernize-avoid-c-arrays)
    for (std::size_t i = kChunk; i > 0; --i) {
      free_.push_back(static_cast<std::uint32_t>(first + i - 1));
    }
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  return number;
}

// A million clients lie in no cache. The misses of different events overlap.
void EventQueue::fetch(std::uint32_t number) {
  constexpr std::size_t kBytes = 512;
  const void* touches = slot_at(number).touches;
  if (touches != nullptr) prefetch(touches, kBytes);
}

// The slot is free only when the action is over: it may ask for others.
bool EventQueue::run_next(Instant limit) {
  const auto number = queue_.take_until(limit, [this](std::uint32_t soon) { fetch(soon); });
  if (!number) return false;
  now_ = std::max(now_, queue_.now());
  Slot& slot = slot_at(*number);
  slot.end(slot, true);
  slot.end = nullptr;
  free_.push_back(*number);
  return true;
}

}  // namespace retrylab::sim
