// SPDX-License-Identifier: MIT
//   IMF-fixdate  = day-name "," SP 2DIGIT SP month SP 4DIGIT SP time SP "GMT"
//   rfc850-date  = day-name-l "," SP 2DIGIT "-" month "-" 2DIGIT SP time SP "GMT"
//   asctime-date = day-name SP month SP ( 2DIGIT / ( SP 1DIGIT ) ) SP time SP 4DIGIT
//   time         = 2DIGIT ":" 2DIGIT ":" 2DIGIT
#include "client_lib/base/http_date.h"

#include <array>
#include <span>

#include <date/date.h>
#include <fmt/format.h>

namespace retrylab {
namespace {

constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 7> kLongDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Fields {
  unsigned weekday = 0;
  unsigned day = 0;
  unsigned month = 0;  // 1-based
  int year = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

// Eats text from the left; once something does not fit, ok() stays false.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  void literal(std::string_view expected) {
    ok_ = ok_ && rest_.starts_with(expected);
    if (ok_) rest_.remove_prefix(expected.size());
  }

  int digits(std::size_t count) {
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) number = number * 10 + digit();
    return number;
  }

  // The position of the name that stands here.
  unsigned name(std::span<const std::string_view> names) {
    for (unsigned i = 0; i < names.size(); ++i) {
      if (!rest_.starts_with(names[i])) continue;
      rest_.remove_prefix(names[i].size());
      return i;
    }
    ok_ = false;
    return 0;
  }

  bool next_is(char letter) const { return !rest_.empty() && rest_.front() == letter; }
  bool ok_to_the_end() const { return ok_ && rest_.empty(); }

 private:
  int digit() {
    ok_ = ok_ && !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9';
    if (!ok_) return 0;
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }

  std::string_view rest_;
  bool ok_ = true;
};

void scan_time(Scanner& scanner, Fields& fields) {
  fields.hour = scanner.digits(2);
  scanner.literal(":");
  fields.minute = scanner.digits(2);
  scanner.literal(":");
  fields.second = scanner.digits(2);
}

bool scan_imf(std::string_view text, Fields& fields) {
  Scanner scanner(text);
  fields.weekday = scanner.name(kDays);
  scanner.literal(", ");
  fields.day = static_cast<unsigned>(scanner.digits(2));
  scanner.literal(" ");
  fields.month = scanner.name(kMonths) + 1;
  scanner.literal(" ");
  fields.year = scanner.digits(4);
  scanner.literal(" ");
  scan_time(scanner, fields);
  scanner.literal(" GMT");
  return scanner.ok_to_the_end();
}

// Leaves the two digits in `year`.
bool scan_rfc850(std::string_view text, Fields& fields) {
  Scanner scanner(text);
  fields.weekday = scanner.name(kLongDays);
  scanner.literal(", ");
  fields.day = static_cast<unsigned>(scanner.digits(2));
  scanner.literal("-");
  fields.month = scanner.name(kMonths) + 1;
  scanner.literal("-");
  fields.year = scanner.digits(2);
  scanner.literal(" ");
  scan_time(scanner, fields);
  scanner.literal(" GMT");
  return scanner.ok_to_the_end();
}

bool scan_asctime(std::string_view text, Fields& fields) {
  Scanner scanner(text);
  fields.weekday = scanner.name(kDays);
  scanner.literal(" ");
  fields.month = scanner.name(kMonths) + 1;
  scanner.literal(" ");
  const bool padded = scanner.next_is(' ');
  if (padded) scanner.literal(" ");
  fields.day = static_cast<unsigned>(scanner.digits(padded ? 1 : 2));
  scanner.literal(" ");
  scan_time(scanner, fields);
  scanner.literal(" ");
  fields.year = scanner.digits(4);
  return scanner.ok_to_the_end();
}

date::year_month_day calendar_day(const Fields& fields) {
  return date::year(fields.year) / date::month(fields.month) / date::day(fields.day);
}

date::sys_seconds at_second(const Fields& fields) {
  return date::sys_days(calendar_day(fields)) + std::chrono::hours(fields.hour) +
         std::chrono::minutes(fields.minute) + std::chrono::seconds(fields.second);
}

bool exists(const Fields& fields) {
  const date::year_month_day day = calendar_day(fields);
  return day.ok() && date::weekday(date::sys_days(day)) == date::weekday(fields.weekday) &&
         fields.hour < 24 && fields.minute < 60 && fields.second <= 60;
}

// The latest year with these two digits that puts the date at most 50 years after `now`
// (RFC 9110 §5.6.7).
void widen_year(Fields& fields, WallTime now) {
  const auto today = date::year_month_day(date::floor<date::days>(now));
  const int latest = static_cast<int>(today.year()) + 50;
  fields.year = latest - ((latest - fields.year) % 100);
  if (fields.year < latest) return;
  const auto limit = date::sys_days(date::year(latest) / today.month() / 1) +
                     date::days(static_cast<unsigned>(today.day()) - 1) +
                     (now - date::floor<date::days>(now));
  // 29 February of a year that has none reads as 1 March here, which is after the limit too.
  if (at_second(fields) > limit) fields.year -= 100;
}

// WallTime ends in 2262: what lies beyond is as good as that.
WallTime saturate(date::sys_seconds at) {
  if (at >= date::floor<std::chrono::seconds>(WallTime::max())) return WallTime::max();
  if (at <= date::ceil<std::chrono::seconds>(WallTime::min())) return WallTime::min();
  return at;
}

}  // namespace

std::optional<WallTime> parse_http_date(std::string_view text, WallTime now) {
  Fields fields;
  if (scan_rfc850(text, fields)) {
    widen_year(fields, now);
  } else if (!scan_imf(text, fields) && !scan_asctime(text, fields)) {
    return std::nullopt;
  }
  if (!exists(fields)) return std::nullopt;
  return saturate(at_second(fields));
}

std::string format_http_date(WallTime time, DateFormat format) {
  const auto midnight = date::floor<date::days>(time);
  const date::year_month_day ymd(midnight);
  const date::hh_mm_ss clock(date::floor<std::chrono::seconds>(time - midnight));
  const auto weekday = date::weekday(midnight).c_encoding();
  const auto day = static_cast<unsigned>(ymd.day());
  const std::string_view month = kMonths[static_cast<unsigned>(ymd.month()) - 1];
  const int year = static_cast<int>(ymd.year());
  const std::string time_of_day = fmt::format("{:02}:{:02}:{:02}", clock.hours().count(),
                                              clock.minutes().count(), clock.seconds().count());
  switch (format) {
    case DateFormat::rfc850:
      return fmt::format("{}, {:02}-{}-{:02} {} GMT", kLongDays[weekday], day, month, year % 100,
                         time_of_day);
    case DateFormat::asctime:
      return fmt::format("{} {} {:>2} {} {:04}", kDays[weekday], month, day, time_of_day, year);
    case DateFormat::imf:
      break;
  }
  return fmt::format("{}, {:02} {} {:04} {} GMT", kDays[weekday], day, month, year, time_of_day);
}

}  // namespace retrylab
