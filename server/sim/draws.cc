// SPDX-License-Identifier: MIT
#include "server/sim/draws.h"

#include <array>
#include <bit>
#include <cstddef>

#include "server/engine/lognormal.h"

namespace retrylab::sim {
namespace {

__extension__ using Wide = __int128;

constexpr int kTableBits = 9;
constexpr std::size_t kTableSize = std::size_t{1} << kTableBits;
constexpr int kUnitBits = 32;
constexpr std::int64_t kFineUnit = std::int64_t{1} << 60;
constexpr std::int64_t kLn2 = 2'977'044'472;  // 2^32 ln 2

// 2^32 ln(1 + entry / 512), by ln x = 2 atanh((x - 1) / (x + 1)).
constexpr std::int64_t table_entry(std::size_t entry) {
  const auto above = static_cast<std::int64_t>(entry);
  const auto y = static_cast<std::int64_t>(Wide{above} * kFineUnit /
                                           (2 * static_cast<std::int64_t>(kTableSize) + above));
  const auto square = static_cast<std::int64_t>((Wide{y} * y) >> 60);
  std::int64_t sum = 0;
  std::int64_t power = y;
  for (std::int64_t n = 1; power != 0; n += 2) {
    sum += power / n;
    power = static_cast<std::int64_t>((Wide{power} * square) >> 60);
  }
  return sum >> (60 - kUnitBits - 1);
}

constexpr std::array<std::int64_t, kTableSize + 1> make_table() {
  std::array<std::int64_t, kTableSize + 1> table{};
  for (std::size_t entry = 0; entry <= kTableSize; ++entry) table[entry] = table_entry(entry);
  return table;
}

constexpr std::array<std::int64_t, kTableSize + 1> kLogarithms = make_table();

}  // namespace

// u = m 2^-octave with m in [1, 2): -ln u = octave ln 2 - ln m, and ln m from the table.
std::int64_t minus_log(std::uint64_t bits) {
  if (bits == UINT64_MAX) return 0;
  const std::uint64_t u = bits + 1;
  const int zeros = std::countl_zero(u);
  const std::uint64_t below_top = (u << zeros) << 1U;
  const auto entry = static_cast<std::size_t>(below_top >> (64 - kTableBits));
  const auto between = static_cast<std::int64_t>((below_top << kTableBits) >> 40U);  // of 2^24
  const std::int64_t low = kLogarithms[entry];
  const std::int64_t log = low + (((kLogarithms[entry + 1] - low) * between) >> 24);
  return (zeros + 1) * kLn2 - log;
}

Duration draw_exponential(Duration mean, Random& random) {
  const Wide value = (Wide{mean.count()} * minus_log(random.next())) >> kUnitBits;
  return value > Wide{kForever.count()} ? kForever : Duration(static_cast<std::int64_t>(value));
}

Duration draw_normal(Duration mean, Duration deviation, Random& random) {
  const std::int64_t z = engine::normal_quantile(random.next());
  const Wide value = Wide{mean.count()} + ((Wide{deviation.count()} * z) >> 24);
  const Wide positive = value < 0 ? -value : value;
  return positive > Wide{kForever.count()} ? kForever
                                           : Duration(static_cast<std::int64_t>(positive));
}

}  // namespace retrylab::sim
