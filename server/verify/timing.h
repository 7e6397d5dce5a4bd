// SPDX-License-Identifier: MIT
// The tolerances of RULES.md B0. Too small is proof; too large is proof only beyond what the host
// and the connection explain.
#pragma once

#include <chrono>

#include "client_lib/base/time.h"

namespace retrylab::verify {

// A client's timer may round by that much without a word.
inline constexpr Duration kEarlyTolerance = std::chrono::milliseconds(2);
// A coarse clock (Windows: 16 ms) explains that much: worth a word, not a failure.
inline constexpr Duration kEarlyAdvice = std::chrono::milliseconds(20);
// How late a timer of a busy host is at worst, seen in measurements.
inline constexpr Duration kLateTolerance = std::chrono::milliseconds(25);
// The client is a process next to ours: at its own time it may be as late as we were at another,
// up to here.
inline constexpr Duration kNeighbourLagMax = std::chrono::milliseconds(100);
// More than this between a connection's accepting and its first byte is the client's own doing.
inline constexpr Duration kConnectingMax = std::chrono::milliseconds(50);
// A client that left an overdue answer may have done so for that much lateness of this host; one
// that was answered so late may have run out of time for it.
inline constexpr Duration kGivenUpLag = std::chrono::milliseconds(50);
inline constexpr Duration kOverdue = std::chrono::milliseconds(500);
// Lateness of this host so close to a wait's beginning or end blurs it.
inline constexpr Duration kEndOfWait = std::chrono::milliseconds(10);
// An HTTP stack's silent resend follows at once. So does a retry by full jitter now and then:
// what looks like a resend may count or not, whichever is in the client's favour.
inline constexpr Duration kResendWithin = std::chrono::milliseconds(5);

enum class Early { no, slightly, proven };

// `wait_at_most` is the longest that the client can have waited.
constexpr Early early(Duration wait_at_most, Duration asked) {
  if (asked == kForever) return Early::proven;
  const Duration missing = asked - wait_at_most;
  if (missing <= kEarlyTolerance) return Early::no;
  return missing <= kEarlyAdvice ? Early::slightly : Early::proven;
}

enum class Late { no, explained, proven };

// `wait` is measured; `connecting` and the tolerance are always granted, `lag` makes it doubtful.
struct Lateness {
  Duration wait{0};
  Duration allowed{0};
  Duration connecting{0};
  Duration lag{0};
};

constexpr Duration beyond(const Lateness& of) {
  if (of.allowed > kForever / 2) return Duration(0);
  return of.wait - of.allowed - kLateTolerance - of.connecting;
}

constexpr Late late(const Lateness& of) {
  const Duration over = beyond(of);
  if (over <= Duration(0)) return Late::no;
  return over <= of.lag ? Late::explained : Late::proven;
}

}  // namespace retrylab::verify
