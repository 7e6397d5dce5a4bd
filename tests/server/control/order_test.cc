// SPDX-License-Identifier: MIT
#include "server/control/order.h"

#include <gtest/gtest.h>

#include <string>

#include "server/control/value_text.h"

namespace retrylab::control {
namespace {

constexpr const char* kScenario =
    R"({"name": "a \"{ b", "routes": [{"on": "GET /", "script": [200]}]})";

TEST(Order, a_scenario_keeps_its_text_and_with_it_its_hash_and_its_pointers) {
  const std::string body = std::string("{\n  \"seed\": 1, \"scenario\":\n   ") + kScenario + "\n}";
  const auto order = read_new_run(body);
  ASSERT_TRUE(order) << order.error().detail;
  EXPECT_EQ(order->text, kScenario);
  EXPECT_EQ(order->scenario->routes[0].where, "/routes/0");
  EXPECT_EQ(order->catalogue, "");
}

struct Bad {
  const char* body;
  Problem::Type type;
  int line;
  int column;
  const char* pointer;
};

TEST(Order, every_mistake_has_its_place_in_the_body) {
  using Type = Problem::Type;
  for (const Bad& bad : {
           Bad{"{", Type::invalid_json, 1, 2, ""},
           Bad{"[]", Type::invalid_json, 1, 1, ""},
           Bad{"{}", Type::invalid_json, 1, 1, ""},
           Bad{"{\"scenario\": 1}", Type::invalid_json, 1, 14, "/scenario"},
           Bad{"{\"scenario\": {},\n \"ttl\": \"0s\"}", Type::invalid_json, 2, 9, "/ttl"},
           Bad{"{\"scenario\": {\"name\": 1}}", Type::invalid_scenario, 1, 14, "/scenario"},
           Bad{"\n{\"scenario\":\n {\n\"name\": 1, \"routes\": []}}", Type::invalid_scenario, 4, 9,
               "/scenario/name"},
       }) {
    const auto order = read_new_run(bad.body);
    ASSERT_FALSE(order) << bad.body;
    ASSERT_FALSE(order.error().mistakes.empty()) << bad.body;
    const auto& mistake = order.error().mistakes.front();
    EXPECT_EQ(order.error().type, bad.type) << bad.body;
    EXPECT_EQ(mistake.line, bad.line) << bad.body << mistake.message;
    EXPECT_EQ(mistake.column, bad.column) << bad.body << mistake.message;
    EXPECT_EQ(mistake.pointer, bad.pointer) << bad.body;
  }
}

TEST(Order, a_misspelt_name_of_the_catalogue_is_told_the_right_one) {
  const auto order = read_new_run(R"({"scenario": "two-503-then-sucess"})");
  ASSERT_FALSE(order);
  EXPECT_EQ(order.error().type, Problem::Type::unknown_scenario);
  EXPECT_NE(order.error().detail.find("two-503-then-success"), std::string::npos);
}

TEST(Order, the_text_of_a_value_ends_where_it_ends) {
  for (const char* value : {"{}", "[]", R"(["]"])", R"({"a": {"b": "}\"}"}})"}) {
    EXPECT_EQ(value_text(std::string("[1,\n ") + value + ", {}]", {.line = 2, .column = 2}), value);
  }
}

TEST(Order, a_reset_may_say_nothing) {
  EXPECT_EQ(*read_reset(""), std::nullopt);
  EXPECT_EQ(*read_reset("{}"), std::nullopt);
  EXPECT_EQ(**read_reset(R"({"seed": 4})"), 4U);
  EXPECT_FALSE(read_reset("4"));
}

}  // namespace
}  // namespace retrylab::control
