// SPDX-License-Identifier: MIT
#include "server/audit/audit_set.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/catalogue.h"

namespace retrylab::audit {
namespace {

TEST(AuditSet, every_scenario_is_in_it_once_or_left_out_for_a_reason) {
  std::multiset<std::string> named;
  for (const SetEntry& entry : audit_set()) named.emplace(entry.scenario);
  for (const LeftOut& entry : left_out()) {
    EXPECT_FALSE(entry.why.empty()) << entry.scenario;
    named.emplace(entry.scenario);
  }
  std::set<std::string> present;
  for (const auto entries : {scenario::catalogue(), scenario::bugs(), scenario::probes()}) {
    for (const auto& entry : entries) {
      EXPECT_EQ(named.count(std::string(entry.name)), 1U) << entry.name;
      present.emplace(entry.name);
    }
  }
  for (const std::string& name : named) EXPECT_TRUE(present.contains(name)) << name;
}

TEST(AuditSet, the_quick_one_is_part_of_the_full_one) {
  for (const SetEntry& entry : audit_set()) EXPECT_LE(entry.quick, entry.full) << entry.scenario;
}

}  // namespace
}  // namespace retrylab::audit
