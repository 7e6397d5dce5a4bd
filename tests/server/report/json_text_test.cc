// SPDX-License-Identifier: MIT
#include "server/report/json_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "client_lib/base/random.h"
#include "server/report/json.h"
#include "tests/server/report/synthetic.h"

namespace retrylab::report {
namespace {

using Tree = nlohmann::ordered_json;

std::string laid_out(const Tree& tree) {
  return tree.dump(2, ' ', false, Tree::error_handler_t::replace) + "\n";
}

std::string one(JsonText json) {
  return std::move(json).take();
}

TEST(JsonText, is_laid_out_as_the_library_lays_out_a_tree) {
  JsonText json;
  json.object().name("a").list().end().name("b").object().end().name("c").list();
  json.number(1).text("two").object().name("three").null().name("four").flag(true).end().end();
  json.name("d").texts({"x", "y"}).name("e").number_or_null(std::optional<int>()).end();
  const Tree tree = Tree::parse(
      R"({"a":[],"b":{},"c":[1,"two",{"three":null,"four":true}],"d":["x","y"],"e":null})");
  EXPECT_EQ(one(std::move(json)), laid_out(tree));
}

TEST(JsonText, texts_are_written_as_the_library_writes_them) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string texts[] = {
      "",     "plain",        "\"quoted\"", "back\\slash", "a\nb\t", "\x7f", "gr\xc3\xbc\xc3\x9f",
      "\xff", "cut \xe2\x82", all};
  for (const std::string& text : texts) {
    JsonText json;
    json.text(text);
    EXPECT_EQ(one(std::move(json)), laid_out(Tree(text)));
  }
}

std::string as_written(Duration value) {
  JsonText json;
  json.milliseconds(value);
  return one(std::move(json));
}

// Rounded to the microsecond.
std::string as_library(Duration value) {
  const auto micros = (value.count() + (value.count() < 0 ? -500 : 500)) / 1'000;
  return laid_out(Tree(static_cast<double>(micros) / 1e3));
}

TEST(JsonText, milliseconds_are_written_as_the_library_writes_doubles) {
  for (const std::int64_t nanos :
       {0L, 1L, 499L, 500L, 1'000L, -1'000L, -499L, 10'000L, 100'000L, 1'000'000L, 1'250'000L,
        -2'000'001L, 86'400'000'000'000L, 999'999'999'999'999'999L, 9'000'000'000'000'000'000L}) {
    EXPECT_EQ(as_written(Duration(nanos)), as_library(Duration(nanos)));
  }
  Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto magnitude = std::uint64_t{1} << random.below(62);
    const Duration value(static_cast<std::int64_t>(random.below(magnitude)));
    ASSERT_EQ(as_written(value), as_library(value)) << value.count();
  }
}

TEST(JsonText, a_report_reads_and_writes_back_to_the_same_bytes) {
  auto made = early_client();
  made.runs[0].attempts[0].target = "/\"\xc3\xbc";
  const std::string text = json_report(made.report());
  EXPECT_EQ(laid_out(Tree::parse(text)), text);
}

}  // namespace
}  // namespace retrylab::report
