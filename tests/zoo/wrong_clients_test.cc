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

constexpr std::uint64_t kSeeds = 20;

class WrongClients : public testing::TestWithParam<WrongClient> {};

// The rule that has to fail, and no other but the plain expectations that say the same.
TEST_P(WrongClients, is_caught_by_its_rule_and_by_no_other) {
  std::set<std::string> expected(GetParam().also.begin(), GetParam().also.end());
  expected.insert(GetParam().rule);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const verify::Verdict verdict = judge(GetParam(), seed);
    ASSERT_EQ(verdict.status, verify::Status::fail) << "seed " << seed << '\n' << story(verdict);
    const std::vector<std::string> failed = failed_rules(verdict);
    ASSERT_EQ(std::set(failed.begin(), failed.end()), expected) << "seed " << seed << '\n'
                                                                << story(verdict);
  }
}

// Without its one mistake it is right: the stage itself blames nobody.
TEST_P(WrongClients, passes_once_its_mistake_is_mended) {
  WrongClient mended = GetParam();
  mended.change = [](Habits&) {};
  mended.clients = 1;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const verify::Verdict verdict = judge(mended, seed);
    ASSERT_EQ(verdict.status, verify::Status::pass) << "seed " << seed << '\n' << story(verdict);
  }
}

TEST_P(WrongClients, never_passes_on_a_late_host) {
  for (const Duration lateness : {50ms, 500ms, 2000ms}) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const verify::Verdict verdict = judge(GetParam(), seed, lateness);
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
