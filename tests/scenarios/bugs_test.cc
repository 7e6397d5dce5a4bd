// SPDX-License-Identifier: MIT
// Every scenario of scenarios/bugs lets a right client pass and catches the mistake it is named
// after, in virtual time.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/bugs.h"
#include "tests/zoo/cage.h"

namespace retrylab::bugs {
namespace {

scenario::Scenario scenario_of(const Bug& bug) {
  std::ifstream file(std::string(RETRYLAB_BUGS) + "/" + bug.scenario + ".json");
  std::ostringstream text;
  text << file.rdbuf();
  return zoo::loaded(text.str());
}

// The rule of caught_by.txt.
std::string rule_that_catches(const std::string& name) {
  std::ifstream file(RETRYLAB_CAUGHT_BY);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string scenario;
    std::string rule;
    if (words >> scenario >> rule && scenario == name) return rule;
  }
  return "no line in caught_by.txt";
}

class ReportedBug : public testing::TestWithParam<Bug> {
 protected:
  verify::Verdict judge(std::uint64_t seed, const Change& change) const {
    const Bug& bug = GetParam();
    const scenario::Scenario scenario = scenario_of(bug);
    zoo::Habits habits = zoo::right_habits(zoo::declared_policy(scenario.expect, bug.jitter));
    bug.prepare(habits);
    change(habits);
    zoo::Visit visit = bug.visit;
    visit.seed = seed;
    return zoo::judge(scenario, habits, zoo::calls_for(scenario).front(), visit);
  }
};

TEST_P(ReportedBug, lets_a_right_client_pass) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const verify::Verdict verdict = judge(seed, [](zoo::Habits&) {});
    EXPECT_EQ(verdict.status, verify::Status::pass) << "seed " << seed << '\n'
                                                    << zoo::story(verdict);
  }
}

TEST_P(ReportedBug, catches_the_mistake) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const verify::Verdict verdict = judge(seed, GetParam().mistake);
    EXPECT_EQ(verdict.status, verify::Status::fail) << "seed " << seed;
    EXPECT_THAT(zoo::ids_with(verdict, verify::Status::fail),
                testing::Contains(rule_that_catches(GetParam().scenario)))
        << "seed " << seed << '\n'
        << zoo::story(verdict);
  }
}

std::string test_name(const testing::TestParamInfo<Bug>& info) {
  std::string name = info.param.scenario;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Bugs, ReportedBug, testing::ValuesIn(all_bugs()), test_name);

TEST(ReportedBugs, are_those_of_the_folder) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(RETRYLAB_BUGS)) {
    if (entry.path().extension() == ".json") files.insert(entry.path().stem().string());
  }
  std::set<std::string> tested;
  for (const Bug& bug : all_bugs()) tested.insert(bug.scenario);
  EXPECT_EQ(tested, files);
}

}  // namespace
}  // namespace retrylab::bugs
