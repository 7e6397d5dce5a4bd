// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/zoo/cage.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;

// More for those that take one run, fewer for those that take many.
std::uint64_t seeds_for(const WrongClient& client) {
  const std::uint64_t size =
      std::uint64_t{client.visit.runs} * client.visit.operations * client.visit.clients;
  return std::clamp<std::uint64_t>(100 / size, 2, 20);
}

class WrongClients : public testing::TestWithParam<WrongClient> {};

// The rule that has to fail, and no other but the plain expectations that say the same. A mistake
// that is worth advice fails nothing.
TEST_P(WrongClients, is_caught_by_its_rule_and_by_no_other) {
  const WrongClient& client = GetParam();
  const Cage cage(client);
  std::vector<std::string> expected = client.also;
  if (!client.is_advice) expected.push_back(client.rule);
  for (std::uint64_t seed = 1; seed <= seeds_for(GetParam()); ++seed) {
    const verify::Verdict verdict = cage.judge(seed);
    ASSERT_THAT(ids_with(verdict, verify::Status::fail),
                testing::UnorderedElementsAreArray(expected))
        << "seed " << seed << '\n'
        << story(verdict);
    if (!client.is_advice) continue;
    ASSERT_THAT(ids_with(verdict, verify::Status::advice), testing::Contains(client.rule))
        << "seed " << seed << '\n'
        << story(verdict);
  }
}

// Without its one mistake it is right: the stage itself blames nobody.
TEST_P(WrongClients, passes_once_its_mistake_is_mended) {
  const Cage cage(mended(GetParam()));
  for (std::uint64_t seed = 1; seed <= seeds_for(GetParam()); ++seed) {
    const verify::Verdict verdict = cage.judge(seed);
    ASSERT_EQ(verdict.status, verify::Status::pass) << "seed " << seed << '\n' << story(verdict);
  }
}

TEST_P(WrongClients, never_passes_on_a_late_host) {
  if (GetParam().is_advice) return;
  const Cage cage(GetParam());
  for (const Duration lateness : {50ms, 500ms, 2000ms}) {
    for (std::uint64_t seed = 1; seed <= (seeds_for(GetParam()) + 3) / 4; ++seed) {
      const verify::Verdict verdict = cage.judge(seed, lateness);
      ASSERT_NE(verdict.status, verify::Status::pass)
          << "seed " << seed << ", late by " << lateness / 1ms << " ms\n"
          << story(verdict);
    }
  }
}

std::string test_name(const testing::TestParamInfo<WrongClient>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Zoo, WrongClients, testing::ValuesIn(wrong_clients()), test_name);

TEST(Zoo, names_are_unique) {
  std::set<std::string> names;
  for (const WrongClient& client : wrong_clients()) {
    EXPECT_TRUE(names.insert(client.name).second) << client.name;
  }
}

}  // namespace
}  // namespace retrylab::zoo
