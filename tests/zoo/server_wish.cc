// SPDX-License-Identifier: MIT
#include "tests/zoo/server_wish.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "client_lib/base/http_date.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono;

constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Fields {
  char month[4] = "";
  int day = 0, year = 0, hour = 0, minute = 0, second = 0;
};

// A form is right when writing the time again gives the same text. Beyond the range of WallTime:
// its end.
std::optional<WallTime> time_of(const Fields& f, std::string_view text, DateFormat format) {
  if (f.year > 2250) return WallTime::max();
  const auto month = std::ranges::find(kMonths, std::string_view(f.month));
  if (month == kMonths.end()) return std::nullopt;
  const year_month_day date{year(f.year), std::chrono::month(1) + months(month - kMonths.begin()),
                            day(static_cast<unsigned>(f.day))};
  if (!date.ok()) return std::nullopt;
  const WallTime time = sys_days(date) + hours(f.hour) + minutes(f.minute) + seconds(f.second);
  if (format_http_date(time, format) != text) return std::nullopt;
  return time;
}

int year_of(WallTime time) {
  return static_cast<int>(year_month_day(floor<days>(time)).year());
}

// Two digits mean the year that is at most 50 years ahead (RFC 9110 §5.6.7).
std::optional<WallTime> time_of_two_digits(Fields f, std::string_view text, WallTime now) {
  f.year += year_of(now) - year_of(now) % 100 + 100;
  const WallTime latest = now + years(50);
  for (int century = 0; century < 3; ++century, f.year -= 100) {
    const std::optional<WallTime> time = time_of(f, text, DateFormat::rfc850);
    if (time && *time <= latest) return time;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Duration> read_seconds(std::string_view value) {
  if (value.empty()) return std::nullopt;
  std::int64_t count = 0;
  for (const char digit : value) {
    if (digit < '0' || digit > '9') return std::nullopt;
    count = std::min<std::int64_t>(count * 10 + (digit - '0'), 100'000'000'000'000);
  }
  return saturating_multiply(seconds(1), count);
}

std::optional<WallTime> read_date(std::string_view value, WallTime now) {
  const std::string text(value);
  Fields f;
  if (std::sscanf(text.c_str(), "%*3s, %2d %3s %4d %2d:%2d:%2d", &f.day, f.month, &f.year, &f.hour,
                  &f.minute, &f.second) == 6) {
    return time_of(f, text, DateFormat::imf);
  }
  if (std::sscanf(text.c_str(), "%*3s %3s %2d %2d:%2d:%2d %4d", f.month, &f.day, &f.hour, &f.minute,
                  &f.second, &f.year) == 6) {
    return time_of(f, text, DateFormat::asctime);
  }
  if (std::sscanf(text.c_str(), "%*[a-zA-Z], %2d-%3s-%2d %2d:%2d:%2d", &f.day, f.month, &f.year,
                  &f.hour, &f.minute, &f.second) != 6) {
    return std::nullopt;
  }
  return time_of_two_digits(f, text, now);
}

std::optional<std::string_view> retry_after_value(const Headers& headers) {
  if (count_header(headers, "Retry-After") != 1) return std::nullopt;
  return find_header(headers, "Retry-After");
}

std::optional<Duration> asked_wait(const Headers& headers, WallTime wall) {
  const auto value = retry_after_value(headers);
  if (!value) return std::nullopt;
  if (const auto wait = read_seconds(*value)) return wait;
  const auto date = read_date(*value, wall);
  if (!date) return std::nullopt;
  if (*date == WallTime::max()) return kForever;
  return std::max(Duration{0}, *date - wall);
}

}  // namespace retrylab::zoo
