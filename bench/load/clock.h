// SPDX-License-Identifier: MIT
// Time in the load program: nanoseconds of CLOCK_MONOTONIC as one integer.
#pragma once

#include <time.h>

#include <cstdint>

namespace retrylab::load {

using Nanos = std::int64_t;

constexpr Nanos kMicrosecond = 1'000;
constexpr Nanos kMillisecond = 1'000'000;
constexpr Nanos kSecond = 1'000'000'000;

inline Nanos read_clock(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return t.tv_sec * kSecond + t.tv_nsec;
}

inline Nanos now() {
  return read_clock(CLOCK_MONOTONIC);
}

}  // namespace retrylab::load
