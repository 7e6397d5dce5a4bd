// SPDX-License-Identifier: MIT
#include "client_lib/base/http.h"

#include <gtest/gtest.h>

#include <string>

namespace retrylab {
namespace {

TEST(Http, header_names_ignore_case_and_only_ascii_case) {
  EXPECT_TRUE(same_name("Retry-After", "retry-AFTER"));
  EXPECT_FALSE(same_name("Retry-After", "Retry_After"));
  EXPECT_FALSE(same_name("Retry-After", "Retry-Afte"));
  EXPECT_FALSE(same_name("@", "`"));
}

TEST(Http, find_header_gives_the_first_of_that_name) {
  const Headers headers{{"A", "1"}, {"b", "2"}, {"B", "3"}};
  EXPECT_EQ(find_header(headers, "B"), "2");
  EXPECT_EQ(find_header(headers, "c"), std::nullopt);
  EXPECT_EQ(count_header(headers, "b"), 2);
  EXPECT_EQ(count_header(headers, "c"), 0);
}

TEST(Http, methods_are_sorted_as_rfc_9110_does) {
  const struct {
    std::string method;
    bool safe;
    bool idempotent;
  } rows[] = {{"GET", true, true},    {"HEAD", true, true},    {"OPTIONS", true, true},
              {"TRACE", true, true},  {"PUT", false, true},    {"DELETE", false, true},
              {"POST", false, false}, {"PATCH", false, false}, {"CONNECT", false, false},
              {"get", false, false},  {"", false, false}};
  for (const auto& row : rows) {
    EXPECT_EQ(is_safe_method(row.method), row.safe) << row.method;
    EXPECT_EQ(is_idempotent_method(row.method), row.idempotent) << row.method;
  }
}

TEST(Http, knows_the_usual_reason_phrases) {
  EXPECT_EQ(reason_phrase(503), "Service Unavailable");
  EXPECT_EQ(reason_phrase(429), "Too Many Requests");
  EXPECT_EQ(reason_phrase(799), "");
}

}  // namespace
}  // namespace retrylab
