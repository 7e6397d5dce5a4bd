// SPDX-License-Identifier: MIT
#include "client_lib/base/duration_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace retrylab {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t amount;
};

constexpr std::array<Unit, 6> kTimeUnits{{{"h", 3'600'000'000'000},
                                          {"m", 60'000'000'000},
                                          {"s", 1'000'000'000},
                                          {"ms", 1'000'000},
                                          {"us", 1'000},
                                          {"ns", 1}}};

constexpr std::array<Unit, 7> kSizeUnits{{{"B", 1},
                                          {"KB", 1'000},
                                          {"MB", 1'000'000},
                                          {"GB", 1'000'000'000},
                                          {"KiB", 1'024},
                                          {"MiB", 1'048'576},
                                          {"GiB", 1'073'741'824}}};

constexpr std::int64_t kLongest = 100LL * 365 * 24 * 3'600 * 1'000'000'000;

template <std::size_t N>
const Unit* find_unit(const std::array<Unit, N>& units, std::string_view name) {
  const auto* found = std::ranges::find(units, name, &Unit::name);
  return found == units.end() ? nullptr : found;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// Digits at the start of `text`, cut off it; nothing when there are none or too many.
bool take_number(std::string_view& text, std::int64_t& number) {
  const auto* end = text.data() + text.size();
  if (text.empty() || !is_digit(text.front())) return false;
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return true;
}

// The fraction ".ddd" as an amount of the unit; at most nine digits.
bool take_fraction(std::string_view& text, std::string_view& digits) {
  if (text.empty() || text.front() != '.') return true;
  text.remove_prefix(1);
  const auto length =
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  digits = text.substr(0, length);
  text.remove_prefix(length);
  return length >= 1 && length <= 9;
}

tl::unexpected<Error> bad_duration(std::string_view text) {
  return fail(ErrorCode::invalid_argument, "",
              fmt::format("\"{}\" is not a duration: write a number and a unit, such as \"250ms\", "
                          "\"15s\" or \"2m\"",
                          text));
}

std::string trimmed(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  std::string_view rest = text;
  std::int64_t whole = 0;
  std::string_view fraction;
  if (!take_number(rest, whole) || !take_fraction(rest, fraction)) return bad_duration(text);
  const Unit* unit = find_unit(kTimeUnits, rest);
  if (unit == nullptr) return bad_duration(text);
  if (whole > kLongest / unit->amount) {
    return fail(ErrorCode::invalid_argument, "",
                fmt::format("\"{}\" is longer than 100 years", text));
  }
  std::int64_t total = whole * unit->amount;
  std::int64_t scale = unit->amount;
  for (const char digit : fraction) {
    scale /= 10;
    total += scale * (digit - '0');
  }
  return Duration(total);
}

std::string format_duration(Duration duration) {
  const std::int64_t count = duration.count();
  if (count == 0) return "0s";
  if (count < 0) return "-" + format_duration(-std::max(duration, -kForever));
  for (const Unit& unit : kTimeUnits) {
    if (count % unit.amount == 0) return fmt::format("{}{}", count / unit.amount, unit.name);
  }
  return fmt::format("{}ns", count);
}

std::string format_measured(Duration duration) {
  const std::int64_t count = duration.count();
  if (count < 0) return "-" + format_measured(-std::max(duration, -kForever));
  const std::int64_t micros = count / 1'000 + (count % 1'000 >= 500 ? 1 : 0);
  if (micros == 0) return "0s";
  if (micros < 1'000'000) {
    const auto millis = static_cast<double>(micros) / 1e3;
    return trimmed(fmt::format("{:.{}f}", millis, millis < 10 ? 2 : 1)) + "ms";
  }
  return trimmed(fmt::format("{:.3f}", static_cast<double>(count) / 1e9)) + "s";
}

Result<std::uint64_t> parse_size(std::string_view text) {
  std::string_view rest = text;
  std::int64_t number = 0;
  const bool has_number = take_number(rest, number);
  const Unit* unit = has_number ? find_unit(kSizeUnits, rest) : nullptr;
  if (unit == nullptr || number > INT64_MAX / unit->amount) {
    return fail(ErrorCode::invalid_argument, "",
                fmt::format("\"{}\" is not a size: write a number and a unit, such as \"400KB\" or "
                            "\"64KiB\"",
                            text));
  }
  return static_cast<std::uint64_t>(number * unit->amount);
}

}  // namespace retrylab
