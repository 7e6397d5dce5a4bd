// SPDX-License-Identifier: MIT
#include "server/engine/numbered.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "client_lib/base/random.h"

namespace retrylab::engine {
namespace {

TEST(Numbered, finds_what_was_made_and_nothing_else) {
  Numbered<std::string> table;
  EXPECT_EQ(table.find(0), nullptr);
  table[40] = "forty";
  ASSERT_NE(table.find(40), nullptr);
  EXPECT_EQ(*table.find(40), "forty");
  EXPECT_EQ(table[40], "forty");
  for (const std::uint64_t other : {0U, 1U, 31U, 39U, 41U, 48U, 1'000U}) {
    EXPECT_EQ(table.find(other), nullptr) << other;
  }
  table.erase(41);
  table.erase(40);
  EXPECT_EQ(table.find(40), nullptr);
  table.erase(40);
}

TEST(Numbered, a_reference_outlives_others_coming_and_going) {
  Numbered<std::string> table;
  std::string& first = table[1];
  first = "first";
  for (std::uint64_t number = 2; number < 5'000; ++number) table[number] = "x";
  for (std::uint64_t number = 2; number < 5'000; ++number) table.erase(number);
  EXPECT_EQ(&first, table.find(1));
  EXPECT_EQ(first, "first");
}

// Numbers as the connections of a long run have them: most leave soon, some stay.
TEST(Numbered, holds_what_a_map_holds) {
  Random random(3);
  Numbered<std::uint64_t> table;
  std::map<std::uint64_t, std::uint64_t> model;
  for (std::uint64_t number = 1; number < 20'000; ++number) {
    if (random.below(4) > 0) {
      table[number] = number * 7;
      model[number] = number * 7;
    }
    for (std::uint64_t i = random.below(3); i > 0; --i) {
      const std::uint64_t back = random.below(number) / (1 + random.below(50));
      table.erase(number - back);
      model.erase(number - back);
    }
    const std::uint64_t asked = 1 + random.below(number + 20);
    const auto known = model.find(asked);
    const std::uint64_t* found = table.find(asked);
    ASSERT_EQ(found != nullptr, known != model.end()) << asked << " at " << number;
    if (found != nullptr) {
      ASSERT_EQ(*found, known->second);
    }
  }
}

}  // namespace
}  // namespace retrylab::engine
