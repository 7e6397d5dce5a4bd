// SPDX-License-Identifier: MIT
// The reader of single lines against a whole JSON library.
#include "server/journal/json_line.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client_lib/base/random.h"

namespace retrylab::journal {
namespace {

using nlohmann::json;

// A line as the parser has it, as a tree again.
json tree_of(const std::vector<JsonMember>& members, std::size_t index) {
  const JsonMember& member = members[index];
  switch (member.kind) {
    case JsonMember::Kind::text:
    case JsonMember::Kind::number:
    case JsonMember::Kind::truth:
    case JsonMember::Kind::null:
      return json::parse(member.kind == JsonMember::Kind::text ? '"' + std::string(member.raw) + '"'
                                                               : std::string(member.raw));
    case JsonMember::Kind::list:
    case JsonMember::Kind::object:
      break;
  }
  const bool is_list = member.kind == JsonMember::Kind::list;
  json tree = is_list ? json::array() : json::object();
  for (std::size_t i = index + 1; i < members.size(); ++i) {
    if (members[i].parent != index) continue;
    json child = tree_of(members, i);
    if (is_list) {
      tree.push_back(std::move(child));
    } else {
      tree[json::parse('"' + std::string(members[i].name) + '"').get<std::string>()] =
          std::move(child);
    }
  }
  return tree;
}

const std::vector<std::string> kRight{R"({})",
                                      R"( { "a" : 1 , "b" : [ ] } )",
                                      R"({"a":"x\"y\\","b":"\\\\\"","c":"\u00e9\n"})",
                                      R"({"a":-0,"b":12,"c":-1.5e+3,"d":0.25,"e":1E9})",
                                      R"({"a":true,"b":false,"c":null})",
                                      R"({"a":[1,[2,{"b":[3]}],"x"],"c":{"d":{"e":{}}}})",
                                      R"({"":"","a b":"ü"})"};

TEST(JsonLine, takes_apart_what_a_library_reads) {
  for (const std::string& text : kRight) {
    JsonLine line;
    ASSERT_TRUE(line.parse(text)) << text;
    EXPECT_EQ(tree_of(line.members(), 0), json::parse(text)) << text;
  }
}

TEST(JsonLine, refuses_what_is_no_object) {
  for (const std::string text : {"",
                                 " ",
                                 "1",
                                 "[1]",
                                 "\"a\"",
                                 "{",
                                 "}",
                                 "{]",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{,}",
                                 "{\"a\":1}x",
                                 "{\"a\":01}",
                                 "{\"a\":1.}",
                                 "{\"a\":.5}",
                                 "{\"a\":-}",
                                 "{\"a\":1e}",
                                 "{\"a\":tru}",
                                 "{\"a\":nul}",
                                 "{\"a\":\"x}",
                                 "{\"a\":\"x\\\"}",
                                 "{a:1}",
                                 "{\"a\":[1,]}",
                                 "{\"a\":[1 2]}",
                                 "{\"a\" 1}"}) {
    EXPECT_FALSE(JsonLine().parse(text)) << text;
  }
}

// Lines that are cut and have a byte changed. What a text may hold is looked at when it is read.
TEST(JsonLine, takes_every_damaged_line_that_a_library_takes) {
  Random random = Random::stream(5, "damage");
  const std::string kBytes = "{}[]\",:\\0 1e-.tu";
  for (const std::string& text : kRight) {
    for (int trial = 0; trial < 2'000; ++trial) {
      std::string damaged = text;
      const auto at = static_cast<std::size_t>(random.below(damaged.size()));
      if (random.below(3) == 0) damaged.resize(at);
      if (!damaged.empty()) {
        damaged[random.below(damaged.size())] = kBytes[random.below(kBytes.size())];
      }
      const json parsed = json::parse(damaged, nullptr, false);
      JsonLine line;
      const bool is_object = line.parse(damaged);
      EXPECT_TRUE(is_object || !parsed.is_object()) << damaged;
    }
  }
}

TEST(JsonLine, nests_no_deeper_than_it_says) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_TRUE(JsonLine().parse(nested(15)));
  EXPECT_FALSE(JsonLine().parse(nested(100'000)));
}

TEST(JsonLine, finds_members_in_any_order) {
  JsonLine line;
  ASSERT_TRUE(line.parse(R"({"a":1,"b":{"a":2,"c":3},"d":4})"));
  EXPECT_EQ(line.find(0, "d")->raw, "4");
  EXPECT_EQ(line.find(0, "a")->raw, "1");
  EXPECT_EQ(line.find(0, "c"), nullptr);
  const auto b = static_cast<std::size_t>(line.find(0, "b") - line.members().data());
  EXPECT_EQ(line.find(b, "a")->raw, "2");
  EXPECT_EQ(line.find(b, "d"), nullptr);
}

TEST(JsonLine, a_text_is_a_string_of_bytes) {
  struct Row {
    std::string raw;
    std::string bytes;
  };
  for (const auto& [raw, bytes] : std::vector<Row>{{"", ""},
                                                   {"plain", "plain"},
                                                   {R"(a\u000d\u000ab)", "a\r\nb"},
                                                   {R"(\u00ff)", "\xff"},
                                                   {"\xc3\xa9", "\xe9"},
                                                   {R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t"}}) {
    std::string read;
    EXPECT_TRUE(append_bytes(raw, read)) << raw;
    EXPECT_EQ(read, bytes) << raw;
  }
  for (const std::string raw :
       {R"(\u20ac)", "\xe2\x82\xac", R"(\x)", R"(\u00)", "\xc3", "\x01", "\xc3x", "\\"}) {
    std::string read;
    EXPECT_FALSE(append_bytes(raw, read)) << raw;
  }
}

}  // namespace
}  // namespace retrylab::journal
