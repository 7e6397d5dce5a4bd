// SPDX-License-Identifier: MIT
// What a fleet's simulation is made of: events, operations under way, the answers of services.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "client_lib/base/random.h"
#include "client_lib/retry/next_move.h"

namespace retrylab::sim::fleet {

enum class Kind : std::uint8_t { begin, arrive, leave, answer, timeout, wake };

struct Event {
  std::uint32_t subject = 0;  // the operation's slot; for `begin` the client
  std::uint32_t ticket = 0;   // of the attempt
  std::uint32_t retry_after_seconds = 0;
  std::uint16_t status = 0;
  Kind kind = Kind::begin;
  bool first = true;  // the first attempt of its operation
};

inline std::string_view word(Kind kind) {
  constexpr std::string_view kWords[] = {"begin", "arrive", "leave", "answer", "timeout", "wake"};
  return kWords[static_cast<std::size_t>(kind)];
}

// The answers that services give, made once each.
class Answers {
 public:
  const Outcome& of(std::uint16_t status, std::uint32_t retry_after_seconds) {
    for (const Known& known : known_) {
      if (known.status == status && known.retry_after == retry_after_seconds) return known.outcome;
    }
    Known& known = known_.emplace_back();
    known.status = status;
    known.retry_after = retry_after_seconds;
    known.outcome.response.status = status;
    if (retry_after_seconds > 0) {
      known.outcome.response.headers.push_back(
          {"Retry-After", std::to_string(retry_after_seconds)});
    }
    return known.outcome;
  }

 private:
  struct Known {
    std::uint16_t status = 0;
    std::uint32_t retry_after = 0;
    Outcome outcome;
  };
  std::deque<Known> known_;
};

// An operation that is under way: what every event needs of it, one cache line.
struct alignas(64) Operation {
  Random network;
  Instant began;
  Instant gives_up = kNever;
  std::uint32_t client = 0;
  std::uint32_t ticket = 0;  // goes on when the slot is used again: late events are told by it
  bool awaits_answer = false;
  bool has_timer = false;  // one event at most, however many attempts: it is set again when due
};

// The rest of it. Apart, since a million operations are far more than any cache holds.
struct Decision {
  Progress progress;
  Random jitter;
  Random fate;
};

// What the operations of one client share.
struct Shared {
  std::optional<Budget> budget;
  std::optional<Breaker> breaker;
};

struct Lifetime {
  std::uint64_t attempts = 0;
  std::uint64_t failures = 0;
};

}  // namespace retrylab::sim::fleet
