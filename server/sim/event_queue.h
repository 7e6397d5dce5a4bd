// SPDX-License-Identifier: MIT
// Virtual time: what is to happen, in the order of its instants; of two at one instant, in the
// order in which they were asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "client_lib/base/time.h"

namespace retrylab::sim {

class EventQueue {
 public:
  using Action = std::function<void()>;

  Instant now() const { return now_; }

  // `when` in the past means now. kNever never happens.
  void at(Instant when, Action action);
  void after(Duration wait, Action action) { at(saturating_add(now_, wait), std::move(action)); }

  // Runs the next event; false when there is none up to `limit`.
  bool run_next(Instant limit);
  // Lets time pass without events; never backwards.
  void pass_until(Instant when) { now_ = std::max(now_, when); }

 private:
  struct Event {
    Instant when;
    std::uint64_t sequence = 0;
    Action action;

    bool operator<(const Event& other) const {  // the queue's top is the greatest
      return when != other.when ? when > other.when : sequence > other.sequence;
    }
  };

  Instant now_;
  std::uint64_t sequence_ = 0;
  std::vector<Event> heap_;
};

}  // namespace retrylab::sim
