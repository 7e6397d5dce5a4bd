// SPDX-License-Identifier: MIT
// Virtual time: what is to happen, in the order of its instants; of two at one instant, in the
// order in which they were asked for. Actions wait in slots that are used again: once as many wait
// as ever will, nothing is allocated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "client_lib/base/time.h"
#include "server/sim/monotone_queue.h"

namespace retrylab::sim {

class EventQueue {
 public:
  EventQueue() = default;
  ~EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  Instant now() const { return now_; }

  // `action` is called without arguments. `when` in the past means now. kNever never happens.
  // `touches`: what the action will touch, fetched while others run; a hint.
  template <typename Action>
  void at(Instant when, Action action, const void* touches = nullptr) {
    static_assert(sizeof(Action) <= Slot::kRoom && alignof(Action) <= alignof(std::max_align_t));
    if (when == kNever) return;
    const std::uint32_t number = free_slot();
    Slot& slot = slot_at(number);
    ::new (static_cast<void*>(slot.room.data())) Action(std::move(action));
    slot.end = [](Slot& at, bool runs) {
      Action& waiting = *std::launder(reinterpret_cast<Action*>(at.room.data()));
      if (runs) waiting();
      waiting.~Action();
    };
    slot.touches = touches;
    queue_.at(std::max(when, now_), number);
  }
  template <typename Action>
  void after(Duration wait, Action action, const void* touches = nullptr) {
    at(saturating_add(now_, wait), std::move(action), touches);
  }

  // Runs the next event; false when there is none up to `limit`.
  bool run_next(Instant limit);
  // Lets time pass without events; never backwards.
  void pass_until(Instant when) { now_ = std::max(now_, when); }

 private:
  struct Slot {
    static constexpr std::size_t kRoom = 48;

    alignas(std::max_align_t) std::array<std::byte, kRoom> room;
    void (*end)(Slot&, bool runs) = nullptr;  // of its action; null: the slot is free
    const void* touches = nullptr;
  };
  static constexpr std::size_t kChunk = 256;

  Slot& slot_at(std::uint32_t number) { return chunks_[number / kChunk][number % kChunk]; }
  std::uint32_t free_slot();
  void fetch(std::uint32_t number);

  Instant now_;
  MonotoneQueue<std::uint32_t> queue_;           // numbers of slots
  std::vector<std::unique_ptr<Slot[]>> chunks_;  // NOLINT(modernize-avoid-c-arrays)
  std::vector<std::uint32_t> free_;
};

}  // namespace retrylab::sim
