// SPDX-License-Identifier: MIT
#include "server/scenario/json/nearest.h"

#include <array>

#include <gtest/gtest.h>

namespace retrylab::scenario::json {
namespace {

constexpr std::array<std::string_view, 6> kKnown{"status",   "retry_after", "reset",
                                                 "honoured", "any",         "body"};

TEST(Nearest, finds_the_word_that_was_meant) {
  struct Row {
    std::string_view word;
    std::string_view meant;
  };
  constexpr std::array<Row, 14> kRows{{{"status", "status"},
                                       {"statsu", "status"},
                                       {"stauts", "status"},
                                       {"Status", "status"},
                                       {"statuses", "status"},
                                       {"retry-after", "retry_after"},
                                       {"RetryAfter", "retry_after"},
                                       {"rst", "reset"},
                                       {"honored", "honoured"},
                                       {"bdy", "body"},
                                       {"all", ""},
                                       {"", ""},
                                       {"fault", ""},
                                       {"a_word_that_is_like_none_of_them", ""}}};
  for (const auto& [word, meant] : kRows) EXPECT_EQ(nearest(word, kKnown), meant) << word;
}

TEST(Nearest, joints_stand_for_one_another) {
  constexpr std::array<std::string_view, 2> kNames{"aws-standard-2.1", "retry_after"};
  EXPECT_EQ(same_word("aws_standard_2_1", kNames), "aws-standard-2.1");
  EXPECT_EQ(same_word("aws-standard-2.1", kNames), "aws-standard-2.1");
  EXPECT_EQ(same_word("retry-after", kNames), "retry_after");
  EXPECT_EQ(same_word("retryafter", kNames), "");
  EXPECT_EQ(same_word("aws-standard-2.0", kNames), "");
  EXPECT_EQ(same_word("", kNames), "");
}

TEST(Nearest, advice_lists_the_known_words_when_none_is_near) {
  EXPECT_EQ(advice("statsu", kKnown), "did you mean \"status\"?");
  EXPECT_EQ(advice("x", std::span(kKnown).first(2)), "known: \"status\", \"retry_after\"");
  EXPECT_EQ(advice("x", {}), "");
}

}  // namespace
}  // namespace retrylab::scenario::json
