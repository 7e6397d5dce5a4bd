// SPDX-License-Identifier: MIT
#include "client_lib/retry/retry_after.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client_lib/base/duration_text.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

// Mon, 30 Nov 2026 12:00:00 GMT
constexpr WallTime kNow{std::chrono::seconds(1'796'040'000)};

std::string dump(const RetryAfter& found) {
  switch (found.kind) {
    case RetryAfter::Kind::absent:
      return "absent";
    case RetryAfter::Kind::invalid:
      return "invalid";
    case RetryAfter::Kind::seconds:
    case RetryAfter::Kind::date:
      break;
  }
  const std::string wait = found.wait == kForever ? "for ever" : format_duration(found.wait);
  return (found.kind == RetryAfter::Kind::date ? "date " : "") + wait + (found.past ? " past" : "");
}

TEST(RetryAfter, table) {
  const struct {
    std::string value;
    std::string expected;
  } rows[] = {
      {"0", "0s"},
      {"120", "2m"},
      {"00120", "2m"},
      {"86400", "24h"},
      {"2147484", "2147484s"},
      {"9223372036", "9223372036s"},
      {"9223372037", "for ever"},
      {"99999999999999999999", "for ever"},
      {std::string(5000, '9'), "for ever"},
      {" 5\t", "5s"},
      {"Mon, 30 Nov 2026 12:00:05 GMT", "date 5s"},
      {"Monday, 30-Nov-26 12:00:05 GMT", "date 5s"},
      {"Mon Nov 30 12:00:05 2026", "date 5s"},
      {"Tue Dec  1 12:00:00 2026", "date 24h"},
      {"Mon, 30 Nov 2026 12:00:00 GMT", "date 0s"},
      {"Mon, 30 Nov 2026 11:59:59 GMT", "date 0s past"},
      {"Sunday, 06-Nov-94 08:49:37 GMT", "date 0s past"},
      {"Sunday, 06-Nov-77 08:49:37 GMT", "date 0s past"},
      {"Sat, 31 Dec 2016 23:59:60 GMT", "date 0s past"},
      {"-1", "invalid"},
      {"+1", "invalid"},
      {"1.5", "invalid"},
      {"1e3", "invalid"},
      {"0x10", "invalid"},
      {"", "invalid"},
      {"   ", "invalid"},
      {"soon", "invalid"},
      {"12;x", "invalid"},
      {"12 s", "invalid"},
      {"1, 2", "invalid"},
      {"1 2", "invalid"},
      {"1m0s", "invalid"},
      {"NaN", "invalid"},
      {"\xD9\xA1", "invalid"},  // an Arabic-Indic digit one
      {"Mon, 30 Nov 2026 12:00:05 gmt", "invalid"},
      {"Tue, 30 Nov 2026 12:00:05 GMT", "invalid"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(dump(parse_retry_after(row.value, kNow)), row.expected) << row.value;
  }
}

TEST(RetryAfter, a_date_that_never_comes_saturates) {
  const RetryAfter found = parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", kNow);
  EXPECT_EQ(found.date, WallTime::max());
  EXPECT_GT(found.wait, 24h * 365 * 200);
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", WallTime(-1s)).wait, kForever);
}

TEST(RetryAfter, a_date_counts_from_the_fraction_of_receipt) {
  EXPECT_EQ(parse_retry_after("Mon, 30 Nov 2026 12:00:05 GMT", kNow + 250ms).wait, 4750ms);
}

TEST(RetryAfter, the_field_is_found_whatever_its_case) {
  EXPECT_EQ(dump(find_retry_after(Headers{{"X", "1"}, {"retry-AFTER", "3"}}, kNow)), "3s");
  EXPECT_EQ(dump(find_retry_after(Headers{{"X", "1"}}, kNow)), "absent");
}

TEST(RetryAfter, two_lines_are_invalid_even_when_equal) {
  EXPECT_EQ(dump(find_retry_after(Headers{{"Retry-After", "3"}, {"Retry-After", "3"}}, kNow)),
            "invalid");
  const std::vector<std::string> two{"3", "4"};
  EXPECT_EQ(dump(find_retry_after(two, kNow)), "invalid");
  const std::vector<std::string> one{"3"};
  EXPECT_EQ(dump(find_retry_after(one, kNow)), "3s");
  EXPECT_EQ(dump(find_retry_after(std::vector<std::string>{}, kNow)), "absent");
}

}  // namespace
}  // namespace retrylab
