// SPDX-License-Identifier: MIT
#include "server/engine/lognormal.h"

#include <bit>

#include "server/engine/normal_quantiles.h"

namespace retrylab::engine {
namespace {

__extension__ using Wide = __int128;

constexpr int kUnitBits = 24;
// ln 2 in units of 2^-60.
constexpr std::int64_t kLn2 = 799'144'290'325'165'978;
constexpr int kFineBits = 60;
constexpr std::int64_t kFineUnit = std::int64_t{1} << kFineBits;

// e^t for 0 <= t < ln 2, both in units of 2^-60, by its Taylor series.
std::int64_t small_exponential(std::int64_t t) {
  std::int64_t sum = kFineUnit;
  std::int64_t term = kFineUnit;
  for (std::int64_t n = 1; term != 0; ++n) {
    term = static_cast<std::int64_t>((Wide{term} * t) >> kFineBits) / n;
    sum += term;
  }
  return sum;
}

}  // namespace

// The top bit is the sign; the other 63 say how far out in the tail: their leading zeros are the
// octave, the next four bits the step, the rest the place between two entries.
std::int64_t normal_quantile(std::uint64_t bits) {
  const bool negative = (bits >> 63U) != 0;
  const std::uint64_t tail = bits << 1U;
  auto octave = static_cast<std::size_t>(std::countl_zero(tail));
  std::int64_t quantile = kNormalQuantiles.back();
  if (octave < kNormalOctaves) {
    const std::uint64_t below_top = ~(tail << (octave + 1));
    const auto step = static_cast<std::size_t>(below_top >> 60U);
    const auto between = static_cast<std::int64_t>((below_top << 4U) >> 40U);  // of 2^24
    const std::size_t entry = octave * kNormalSteps + step;
    const std::int64_t low = kNormalQuantiles[entry];
    quantile = low + (((kNormalQuantiles[entry + 1] - low) * between) >> kUnitBits);
  }
  return negative ? -quantile : quantile;
}

Duration scaled_exponential(Duration scale, std::int64_t x) {
  const Wide fine = Wide{x} << (kFineBits - kUnitBits);
  Wide octaves = fine / kLn2;
  if (fine < octaves * kLn2) --octaves;  // towards minus infinity
  const auto rest = static_cast<std::int64_t>(fine - octaves * kLn2);
  const Wide mantissa = Wide{scale.count()} * small_exponential(rest);
  if (octaves >= 60) return scale.count() == 0 ? Duration(0) : kForever;
  if (octaves <= -62) return Duration(0);
  const Wide value = mantissa >> (kFineBits - static_cast<int>(octaves));
  return value >= Wide{kForever.count()} ? kForever : Duration(static_cast<std::int64_t>(value));
}

Duration draw_lognormal(Duration median, std::int64_t sigma_thousandths, Random& random) {
  const std::int64_t z = normal_quantile(random.next());
  return scaled_exponential(median, z * sigma_thousandths / 1000);
}

}  // namespace retrylab::engine
