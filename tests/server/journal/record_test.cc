// SPDX-License-Identifier: MIT
#include "server/journal/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrylab::journal {
namespace {

using ::testing::ElementsAre;

TEST(Headers, keep_order_case_and_duplicates) {
  const Headers headers = parse_headers(
      "GET / HTTP/1.1\r\nHost: a\r\nX-Trace:\t one \r\nx-trace:two\r\n\r\nNot-A: header\r\n");
  EXPECT_THAT(headers,
              ElementsAre(Header{"Host", "a"}, Header{"X-Trace", "one"}, Header{"x-trace", "two"}));
}

TEST(Headers, folded_line_joins_the_one_before) {
  EXPECT_THAT(parse_headers("GET / HTTP/1.1\r\nA: one\r\n  two\r\n\r\n"),
              ElementsAre(Header{"A", "one two"}));
}

TEST(Headers, line_without_colon_is_left_out) {
  EXPECT_THAT(parse_headers("GET / HTTP/1.1\nrubbish\nA: 1\n\n"), ElementsAre(Header{"A", "1"}));
}

TEST(Headers, head_without_lines_has_none) {
  EXPECT_TRUE(parse_headers("").empty());
  EXPECT_TRUE(parse_headers("GET / HTTP/1.1").empty());
  EXPECT_TRUE(parse_headers("GET / HTTP/1.1\r\n\r\n").empty());
}

TEST(Words, read_back_as_written) {
  for (int i = 0; i <= static_cast<int>(Source::connection); ++i) {
    EXPECT_EQ(source_of(word(static_cast<Source>(i))), static_cast<Source>(i));
  }
  for (int i = 0; i <= static_cast<int>(Ending::failed); ++i) {
    EXPECT_EQ(ending_of(word(static_cast<Ending>(i))), static_cast<Ending>(i));
  }
  for (int i = 0; i <= static_cast<int>(Connection::ClosedBy::server); ++i) {
    const auto by = static_cast<Connection::ClosedBy>(i);
    EXPECT_EQ(closed_by_of(word(by)), by);
  }
  for (int i = 0; i <= static_cast<int>(ClientEnd::Outcome::interrupted); ++i) {
    const auto outcome = static_cast<ClientEnd::Outcome>(i);
    EXPECT_EQ(outcome_of(word(outcome)), outcome);
  }
  EXPECT_EQ(source_of("elsewhere"), std::nullopt);
}

}  // namespace
}  // namespace retrylab::journal
