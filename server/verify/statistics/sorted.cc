// SPDX-License-Identifier: MIT
#include "server/verify/statistics/sorted.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace retrylab::verify::statistics {
namespace {

// Below that, comparing them is as quick.
constexpr std::size_t kMany = 4096;

constexpr unsigned kDigitBits = 11;
constexpr unsigned kDigits = 6;  // of 64 bits

// As numbers that compare like the doubles do.
std::uint64_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

std::size_t digit_of(double number, unsigned digit) {
  return (key_of(number) >> (digit * kDigitBits)) & ((1U << kDigitBits) - 1);
}

double value_of(double number) {
  return number;
}
double value_of(const Placed& placed) {
  return placed.value;
}

// Digit by digit, the lowest first: each pass keeps the order of the one before.
template <typename T>
void sort_by_digits(std::vector<T>& items) {
  std::array<std::array<std::uint32_t, 1U << kDigitBits>, kDigits> counts{};
  for (const T& item : items) {
    for (unsigned digit = 0; digit < kDigits; ++digit) {
      ++counts[digit][digit_of(value_of(item), digit)];
    }
  }
  std::vector<T> sorted(items.size());
  for (unsigned digit = 0; digit < kDigits; ++digit) {
    auto& places = counts[digit];
    if (places[digit_of(value_of(items.front()), digit)] == items.size()) continue;
    std::uint32_t place = 0;
    for (std::uint32_t& one : places) place += std::exchange(one, place);
    for (const T& item : items) sorted[places[digit_of(value_of(item), digit)]++] = item;
    items.swap(sorted);
  }
}

}  // namespace

void sort_numbers(std::vector<double>& numbers) {
  if (numbers.size() < kMany) {
    std::ranges::sort(numbers);
  } else {
    sort_by_digits(numbers);
  }
}

std::vector<Placed> in_order(std::span<const double> numbers) {
  std::vector<Placed> order;
  order.reserve(numbers.size());
  for (const double number : numbers) {
    order.push_back({number, static_cast<std::uint32_t>(order.size())});
  }
  if (order.size() < kMany) {
    std::ranges::stable_sort(order, {}, &Placed::value);
  } else {
    sort_by_digits(order);
  }
  return order;
}

}  // namespace retrylab::verify::statistics
