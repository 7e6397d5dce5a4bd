// SPDX-License-Identifier: MIT
#include "server/scenario/json/tree.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/scenario/json/mistakes.h"

namespace retrylab::scenario::json {
namespace {

Node parsed(std::string_view text) {
  Mistakes mistakes;
  auto node = parse(text, mistakes);
  EXPECT_TRUE(node) << text;
  for (const Mistake& mistake : mistakes.sorted()) ADD_FAILURE() << describe("text", mistake);
  return node.value_or(Node{});
}

// "POINTER LINE:COLUMN KIND" of every value, in the order of the text.
void dump(const Node& node, std::vector<std::string>& lines) {
  static const char* const kKinds[] = {"null", "boolean", "number", "string", "array", "object"};
  lines.push_back(node.pointer + " " + std::to_string(node.place.line) + ":" +
                  std::to_string(node.place.column) + " " +
                  kKinds[static_cast<std::size_t>(node.kind)]);
  for (const Node& item : node.items) dump(item, lines);
  for (const Member& member : node.members) dump(member.value, lines);
}

std::vector<std::string> places(std::string_view text) {
  std::vector<std::string> lines;
  dump(parsed(text), lines);
  return lines;
}

TEST(JsonTree, remembers_where_each_value_stood) {
  EXPECT_THAT(
      places("{\n  \"a\": [1, -2.5e3,\n\t\"x\\\"y\"], \"b\":{}, \"c\" : true,\"d\":null}"),
      testing::ElementsAre(" 1:1 object", "/a 2:8 array", "/a/0 2:9 number", "/a/1 2:12 number",
                           "/a/2 3:2 string", "/b 3:15 object", "/c 3:25 boolean", "/d 3:34 null"));
}

TEST(JsonTree, escapes_names_in_pointers) {
  EXPECT_THAT(places(R"({"a/b": {"c~d": 1}})"),
              testing::ElementsAre(" 1:1 object", "/a~1b 1:9 object", "/a~1b/c~0d 1:17 number"));
}

TEST(JsonTree, skips_a_byte_order_mark) {
  EXPECT_THAT(places("\xEF\xBB\xBF 7"), testing::ElementsAre(" 1:2 number"));
}

TEST(JsonTree, keeps_numbers_as_they_are_written) {
  struct Row {
    const char* text;
    const char* kept;
  };
  for (const auto& [text, kept] :
       std::vector<Row>{{"503", "503"},
                        {"-1", "-1"},
                        {"18446744073709551615", "18446744073709551615"},
                        {"1.50", "1.50"},
                        {"1e3", "1e3"},
                        {"18446744073709551616", "18446744073709551616"}}) {
    EXPECT_EQ(parsed(text).text, kept);
  }
}

TEST(JsonTree, prints_compactly_in_the_order_of_the_file) {
  EXPECT_EQ(compact(parsed(" { \"b\" : [ 1.50 , true , null ] , \"a\" : \"q\\\"\\n\\u00e9\" } ")),
            "{\"b\":[1.50,true,null],\"a\":\"q\\\"\\n\xC3\xA9\"}");
}

TEST(JsonTree, reports_every_duplicate_and_reads_on) {
  Mistakes mistakes;
  ASSERT_TRUE(parse("{\"a\": 1, \"a\": 2,\n \"b\": {\"c\": 1, \"c\": 2}}", mistakes));
  const auto found = mistakes.sorted();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(describe("f", found[0]),
            "f:1:10: \"a\" stands here twice: the first is at 1:2 (at /a)");
  EXPECT_EQ(describe("f", found[1]),
            "f:2:16: \"c\" stands here twice: the first is at 2:8 (at /b/c)");
}

TEST(JsonTree, nests_64_deep_and_no_deeper) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  Mistakes mistakes;
  EXPECT_TRUE(parse(nested(64), mistakes));
  EXPECT_TRUE(mistakes.empty());
  EXPECT_FALSE(parse(nested(65), mistakes));
  EXPECT_EQ(mistakes.sorted().front().column, 65);
}

TEST(JsonTree, says_where_the_syntax_breaks) {
  struct Row {
    const char* text;
    const char* described;
  };
  const std::vector<Row> rows{
      {"{\"a\": 1,}", "f:1:9: this is not JSON: unexpected '}'; expected string literal"},
      {"{\"a\" 1}", "f:1:6: this is not JSON: unexpected number literal; expected ':'"},
      {"[1,\n2\n", "f:3:1: this is not JSON: unexpected end of input; expected ']'"},
      {"{'a': 1}",
       "f:1:2: this is not JSON: invalid literal; last read: '{''; expected string literal"},
      {"[1e999]", "f:1:6: this is not JSON: number overflow parsing '1e999'"}};
  for (const Row& row : rows) {
    Mistakes mistakes;
    EXPECT_FALSE(parse(row.text, mistakes));
    ASSERT_EQ(mistakes.sorted().size(), 1U);
    EXPECT_EQ(describe("f", mistakes.sorted().front()), row.described);
  }
}

}  // namespace
}  // namespace retrylab::scenario::json
