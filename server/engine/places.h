// SPDX-License-Identifier: MIT
// A route's capacity: places that requests hold while they are served, and the queue before them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "server/scenario/scenario.h"
#include "server/wire/request.h"

namespace retrylab::engine {

class Places {
 public:
  enum class Found { place, queue, nothing };

  // A place, or else the end of the queue, or neither.
  Found enter(const scenario::Capacity& rule, wire::AttemptId attempt) {
    if (taken_ < rule.concurrent) {
      ++taken_;
      return Found::place;
    }
    if (queue_.size() >= rule.queue) return Found::nothing;
    queue_.push_back(attempt);
    return Found::queue;
  }

  // Whoever held a place is done; the one that has it now, if anybody waited.
  std::optional<wire::AttemptId> leave() {
    if (queue_.empty()) {
      --taken_;
      return std::nullopt;
    }
    const wire::AttemptId next = queue_.front();
    queue_.pop_front();
    return next;
  }

  // Somebody gives up waiting.
  void quit(wire::AttemptId attempt) { std::erase(queue_, attempt); }

 private:
  std::uint32_t taken_ = 0;
  std::deque<wire::AttemptId> queue_;
};

}  // namespace retrylab::engine
