// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/scenario/words.h"
#include "server/verify/profile.h"
#include "server/verify/rules/rules.h"

namespace retrylab::scenario {
namespace {

TEST(Profiles, are_those_that_a_scenario_can_name) {
  std::vector<std::string_view> judged;
  for (const verify::Profile* profile : verify::all_profiles()) judged.push_back(profile->name);
  EXPECT_THAT(judged, testing::UnorderedElementsAreArray(profile_names()));
}

TEST(RuleIds, are_those_that_a_scenario_can_turn_off) {
  std::vector<std::string_view> judged;
  for (const verify::Rule* rule : verify::all_rules()) {
    if (!rule->source.empty()) judged.push_back(rule->id);
  }
  EXPECT_THAT(judged, testing::ElementsAreArray(rule_ids()));
}

}  // namespace
}  // namespace retrylab::scenario
