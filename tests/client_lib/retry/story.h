// SPDX-License-Identifier: MIT
// Tells what an operation does in virtual time when its attempts come to given outcomes.
#pragma once

#include <string>
#include <vector>

#include "client_lib/base/duration_text.h"
#include "client_lib/retry/next_move.h"
#include "client_lib/retry/presets.h"

namespace retrylab {

// What the attempts come to, in order; the last one repeats.
struct Play {
  Policy policy = careful();
  Facts facts{};
  std::vector<Outcome> outcomes;
  Duration attempt_takes{0};
  std::uint64_t seed = 1;
  Guards guards{};
  Instant start{};
};

struct Told {
  std::vector<Instant> attempts;
  std::vector<WaitUntil> waits;
  Reason reason = Reason::succeeded;
  Instant end{};
};

inline Outcome status(int code, Headers headers = {}) {
  return {.response = {.status = code, .headers = std::move(headers)}};
}

inline Outcome failure(Failure kind) {
  return {.failure = kind};
}

// Mon, 30 Nov 2026 12:00:00 GMT is instant zero.
inline Told tell(const Play& play) {
  constexpr WallTime kZero{std::chrono::seconds(1'796'040'000)};
  Told told;
  Random random(play.seed);
  Progress progress = begin(play.facts);
  Instant now = play.start;
  const auto ask = [&](const Outcome* outcome) {
    const Now moment{.at = now, .wall = kZero + now.time_since_epoch()};
    return next_move(play.policy, progress, outcome, {moment, random, play.guards});
  };
  Move move = ask(nullptr);
  while (!std::holds_alternative<Finish>(move)) {
    if (std::holds_alternative<AttemptNow>(move)) {
      const std::size_t index = std::min(told.attempts.size(), play.outcomes.size() - 1);
      told.attempts.push_back(now);
      now += play.attempt_takes;
      move = ask(&play.outcomes[index]);
    } else {
      const auto* follow = std::get_if<FollowRedirect>(&move);
      const WaitUntil wait = follow != nullptr ? follow->wait : std::get<WaitUntil>(move);
      told.waits.push_back(wait);
      now = std::max(now, wait.at);
      move = ask(nullptr);
    }
  }
  told.reason = std::get<Finish>(move).reason;
  told.end = now;
  return told;
}

// "0s 250ms | attempts_exhausted": when the attempts began and why it ended.
inline std::string dump(const Told& told) {
  std::string text;
  for (const Instant attempt : told.attempts) {
    text += format_duration(attempt.time_since_epoch()) + " ";
  }
  return text + "| " + std::string(word(told.reason));
}

}  // namespace retrylab
