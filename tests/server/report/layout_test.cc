// SPDX-License-Identifier: MIT
#include "server/report/layout.h"

#include <gmock/gmock.h>

namespace retrylab::report {
namespace {

using testing::ElementsAre;

TEST(Layout, nothing_that_a_client_sent_reaches_the_terminal_as_a_control_sequence) {
  const std::pair<std::string, std::string> cases[] = {
      {"plain", "plain"},         {"\x1b[31m", "\\x1b[31m"},  {"a\r\nb", "a\\x0d\\x0ab"},
      {"\x7f", "\\x7f"},          {"§ é 漢", "§ é 漢"},       {"\xc2\x9b", "\\xc2\\x9b"},
      {"\xff\xfe", "\\xff\\xfe"}, {"\xe2\x82", "\\xe2\\x82"}, {"\xc0\x80", "\\xc0\\x80"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(printable(text), expected);
}

TEST(Layout, width_counts_characters) {
  EXPECT_EQ(display_width("§é✓a"), 4U);
  EXPECT_EQ(padded("✓", 3), "✓  ");
  EXPECT_EQ(right_aligned("✓", 3), "  ✓");
  EXPECT_EQ(padded("long", 2), "long");
}

TEST(Layout, a_cut_is_shown_and_never_splits_a_character) {
  EXPECT_EQ(clipped("abcdef", 6), "abcdef");
  EXPECT_EQ(clipped("abcdef", 4), "abc…");
  EXPECT_EQ(clipped("éééé", 3), "éé…");
  EXPECT_EQ(clipped("abc", 0), "…");
}

TEST(Layout, lines_break_at_blanks_and_long_words_where_they_must) {
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("", 7), ElementsAre(""));
  EXPECT_THAT(wrapped("abcdefgh ij", 3), ElementsAre("abc", "def", "gh", "ij"));
  EXPECT_THAT(wrapped("ééé éé", 3), ElementsAre("ééé", "éé"));
  EXPECT_THAT(wrapped("abc", 0), ElementsAre("a", "b", "c"));
}

TEST(Layout, colour_is_off_unless_asked_for) {
  EXPECT_EQ(painted("x", Paint::red, false), "x");
  EXPECT_EQ(painted("x", Paint::red, true), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(painted("x", Paint::plain, true), "x");
}

}  // namespace
}  // namespace retrylab::report
