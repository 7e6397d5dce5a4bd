// SPDX-License-Identifier: MIT
#include "client_lib/base/http_date.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace retrylab {
namespace {

// Mon, 30 Nov 2026 12:00:00 GMT
constexpr WallTime kNow{std::chrono::seconds(1'796'040'000)};

std::string seconds_since_epoch(std::optional<WallTime> time) {
  if (!time) return "invalid";
  return std::to_string(std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch().count());
}

struct Row {
  std::string text;
  std::string expected;  // seconds since 1970, or "invalid"
};

TEST(HttpDate, reads_the_three_forms) {
  const Row rows[] = {
      {"Sun, 06 Nov 1994 08:49:37 GMT", "784111777"},
      {"Sunday, 06-Nov-94 08:49:37 GMT", "784111777"},
      {"Sun Nov  6 08:49:37 1994", "784111777"},
      {"Mon, 30 Nov 2026 12:00:05 GMT", "1796040005"},
      {"Monday, 30-Nov-26 12:00:05 GMT", "1796040005"},
      {"Mon Nov 30 12:00:05 2026", "1796040005"},
      {"Tue Dec  1 12:00:00 2026", "1796126400"},
      {"Thu, 01 Jan 1970 00:00:00 GMT", "0"},
      {"Wed, 31 Dec 1969 23:59:59 GMT", "-1"},
      {"Thu, 29 Feb 2024 00:00:00 GMT", "1709164800"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(seconds_since_epoch(parse_http_date(row.text, kNow)), row.expected) << row.text;
  }
}

TEST(HttpDate, a_leap_second_is_the_second_after_59) {
  EXPECT_EQ(parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT", kNow),
            parse_http_date("Sun, 01 Jan 2017 00:00:00 GMT", kNow));
}

TEST(HttpDate, a_two_digit_year_is_at_most_50_years_ahead) {
  const Row rows[] = {
      {"Sunday, 06-Nov-94 08:49:37 GMT", "784111777"},      // 1994
      {"Wednesday, 06-Nov-75 08:49:37 GMT", "3340255777"},  // 2075
      {"Friday, 06-Nov-76 08:49:37 GMT", "3371878177"},     // 2076: 49 years and 11 months
      {"Monday, 30-Nov-76 12:00:00 GMT", "3373963200"},     // exactly 50 years
      {"Tuesday, 30-Nov-76 12:00:01 GMT", "218203201"},     // a second more: 1976
      {"Wednesday, 01-Dec-76 00:00:00 GMT", "218246400"},   // 1976
      {"Sunday, 06-Nov-77 08:49:37 GMT", "247654177"},      // 1977
      {"Friday, 06-Nov-26 08:49:37 GMT", "1793954977"},     // this year
  };
  for (const Row& row : rows) {
    EXPECT_EQ(seconds_since_epoch(parse_http_date(row.text, kNow)), row.expected) << row.text;
  }
}

TEST(HttpDate, the_weekday_of_a_two_digit_year_is_checked_after_the_century_is_known) {
  EXPECT_FALSE(parse_http_date("Thursday, 06-Nov-75 08:49:37 GMT", kNow));  // was one in 1975
}

TEST(HttpDate, everything_else_is_invalid) {
  const std::string rows[] = {
      "",
      "soon",
      "Mon, 30 Nov 2026 12:00:05 gmt",
      "mon, 30 Nov 2026 12:00:05 GMT",
      "Mon, 30 nov 2026 12:00:05 GMT",
      "Mon, 30 Nov 2026 12:00:05 UTC",
      "Mon, 30 Nov 2026 12:00:05 GMT ",
      " Mon, 30 Nov 2026 12:00:05 GMT",
      "Mon, 30 Nov 2026 12:00:05 GMTx",
      "Mon,30 Nov 2026 12:00:05 GMT",
      "Mon, 30  Nov 2026 12:00:05 GMT",
      "Mon, 3 Nov 2026 12:00:05 GMT",
      "Tue, 30 Nov 2026 12:00:05 GMT",  // was a Monday
      "Mon, 31 Nov 2026 12:00:05 GMT",  // November has 30 days
      "Thu, 29 Feb 2026 12:00:05 GMT",  // no leap year
      "Mon, 00 Nov 2026 12:00:05 GMT",
      "Mon, 30 Nov 2026 24:00:05 GMT",
      "Mon, 30 Nov 2026 12:60:05 GMT",
      "Mon, 30 Nov 2026 12:00:61 GMT",
      "Mon, 30 Nov 26 12:00:05 GMT",
      "Mon, 30-Nov-26 12:00:05 GMT",  // rfc850 has the long weekday
      "Monday, 30-Nov-2026 12:00:05 GMT",
      "Mon Nov 1 12:00:05 2026",  // asctime pads the day
      "Tue Dec 01 12:00:00 2026 GMT",
      "2026-11-30T12:00:05Z",
      "Mon, 30 Nov 2026 -1:00:05 GMT",
      "1796040005",
  };
  for (const std::string& row : rows) EXPECT_FALSE(parse_http_date(row, kNow)) << row;
}

TEST(HttpDate, every_truncation_is_invalid) {
  const std::string forms[] = {"Mon, 30 Nov 2026 12:00:05 GMT", "Monday, 30-Nov-26 12:00:05 GMT",
                               "Mon Nov 30 12:00:05 2026"};
  for (const std::string& whole : forms) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_FALSE(parse_http_date(whole.substr(0, length), kNow)) << whole.substr(0, length);
    }
  }
}

TEST(HttpDate, far_dates_saturate) {
  EXPECT_EQ(parse_http_date("Fri, 31 Dec 9999 23:59:59 GMT", kNow), WallTime::max());
  EXPECT_EQ(parse_http_date("Mon, 01 Jan 1601 00:00:00 GMT", kNow), WallTime::min());
}

TEST(HttpDate, writes_the_three_forms) {
  constexpr WallTime kTime{std::chrono::seconds(1'796'126'400) + std::chrono::milliseconds(999)};
  EXPECT_EQ(format_http_date(kTime), "Tue, 01 Dec 2026 12:00:00 GMT");
  EXPECT_EQ(format_http_date(kTime, DateFormat::rfc850), "Tuesday, 01-Dec-26 12:00:00 GMT");
  EXPECT_EQ(format_http_date(kTime, DateFormat::asctime), "Tue Dec  1 12:00:00 2026");
}

TEST(HttpDate, reads_back_what_it_wrote) {
  for (const DateFormat format : {DateFormat::imf, DateFormat::rfc850, DateFormat::asctime}) {
    for (int day = -400; day < 400; ++day) {
      const WallTime time = kNow + std::chrono::hours(24) * day + std::chrono::seconds(day * 7);
      EXPECT_EQ(parse_http_date(format_http_date(time, format), kNow), time) << day;
    }
  }
}

}  // namespace
}  // namespace retrylab
