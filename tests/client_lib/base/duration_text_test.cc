// SPDX-License-Identifier: MIT
#include "client_lib/base/duration_text.h"

#include <gtest/gtest.h>

#include <string>

namespace retrylab {
namespace {

using namespace std::chrono_literals;

TEST(DurationText, reads_numbers_with_units) {
  const struct {
    std::string text;
    Duration expected;
  } rows[] = {
      {"0s", 0s},        {"1ns", 1ns}, {"25us", 25us},        {"250ms", 250ms},
      {"15s", 15s},      {"2m", 2min}, {"24h", 24h},          {"1.5s", 1500ms},
      {"0.25ms", 250us}, {"007s", 7s}, {"876000h", 876'000h}, {"0.000000001s", 1ns},
  };
  for (const auto& row : rows) {
    const auto parsed = parse_duration(row.text);
    ASSERT_TRUE(parsed) << row.text;
    EXPECT_EQ(*parsed, row.expected) << row.text;
  }
}

TEST(DurationText, refuses_everything_else) {
  for (const std::string text :
       {"", "5", "s", "-5s", "+5s", "5 s", " 5s", "5s ", "5S", "1m0s", "1e3s", ".5s", "5.s",
        "1.0000000001s", "876001h", "99999999999999999999s", "9223372036854775807h"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(DurationText, an_error_shows_what_would_be_right) {
  EXPECT_EQ(parse_duration("5").error().message,
            "\"5\" is not a duration: write a number and a unit, such as \"250ms\", \"15s\" or "
            "\"2m\"");
}

TEST(DurationText, writes_the_largest_whole_unit_and_reads_it_back) {
  const struct {
    Duration duration;
    std::string expected;
  } rows[] = {{0s, "0s"},   {1ns, "1ns"}, {1500ms, "1500ms"}, {2min, "2m"},
              {90s, "90s"}, {24h, "24h"}, {-5s, "-5s"},       {1'000'001ns, "1000001ns"}};
  for (const auto& row : rows) {
    EXPECT_EQ(format_duration(row.duration), row.expected);
    if (row.duration >= 0s) {
      EXPECT_EQ(parse_duration(row.expected), row.duration);
    }
  }
  EXPECT_FALSE(format_duration(Duration::min()).empty());
}

TEST(DurationText, measured_times_are_rounded) {
  const struct {
    Duration duration;
    std::string expected;
  } rows[] = {{0ns, "0s"},
              {499ns, "0s"},
              {7'312'400ns, "7.31ms"},
              {12'345'000ns, "12.3ms"},
              {250ms, "250ms"},
              {1'002'000'000ns, "1.002s"},
              {2s, "2s"},
              {-250ms, "-250ms"},
              {61s, "61s"}};
  for (const auto& row : rows) EXPECT_EQ(format_measured(row.duration), row.expected);
  EXPECT_EQ(format_measured(kForever), "9223372036.855s");
}

TEST(SizeText, reads_decimal_and_binary_units) {
  EXPECT_EQ(parse_size("0B"), 0U);
  EXPECT_EQ(parse_size("400KB"), 400'000U);
  EXPECT_EQ(parse_size("64KiB"), 65'536U);
  EXPECT_EQ(parse_size("2MB"), 2'000'000U);
  EXPECT_EQ(parse_size("1GiB"), 1'073'741'824U);
  for (const std::string text : {"", "400", "KB", "-1B", "1.5KB", "1kb", "99999999999999GB"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
}

}  // namespace
}  // namespace retrylab
