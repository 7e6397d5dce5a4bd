// SPDX-License-Identifier: MIT
// Our own integer generator. The same seed gives the same draws with every compiler and
// library, which std::*_distribution does not promise.
//
// One stream per purpose: `Random::stream(seed, "jitter", client)` is independent of every
// other stream, so a draw more in one place changes nothing elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "client_lib/base/ratio.h"
#include "client_lib/base/time.h"

namespace retrylab {

// xoshiro256** seeded by SplitMix64. A value: copy it to replay the same draws.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  // The stream for one purpose and one index (a client, a route, an attempt).
  static Random stream(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

  // The next 64 bits.
  std::uint64_t next();

  // Uniform over 0 .. bound - 1, without bias. `bound` is at least 1.
  std::uint64_t below(std::uint64_t bound);

  // Uniform over [low, high], both ends included. `low <= high`.
  Duration between(Duration low, Duration high);

  // True with the given probability; always exactly one draw.
  bool chance(Ratio probability);

  friend bool operator==(const Random&, const Random&) = default;

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace retrylab
