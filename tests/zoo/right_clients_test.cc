// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ostream>

#include <gtest/gtest.h>

#include "scenarios/catalogue.h"
#include "tests/zoo/cage.h"
#include "tests/zoo/right_kinds.h"

namespace retrylab::scenario {

static void PrintTo(const CatalogueEntry& entry, std::ostream* out) {
  *out << entry.name;
}

}  // namespace retrylab::scenario

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;
using scenario::Jitter;

class RightClients : public testing::TestWithParam<scenario::CatalogueEntry> {
 protected:
  // The verdict is not `worse`, for every kind of client, call and seed.
  void judge_all(std::uint64_t seeds, Duration lateness, verify::Status also_fine) {
    const scenario::Scenario scenario = loaded(GetParam().text);
    for (const RightKind& kind : right_kinds()) {
      if (!is_declared(scenario, kind.jitter)) continue;
      if (!kind.only.empty() && kind.only != scenario.name) continue;
      Habits habits = right_habits(declared_policy(scenario.expect, kind.jitter));
      kind.choose(habits);
      for (const Call& call : calls_for(scenario)) {
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
          const auto verdict =
              judge(scenario, habits, call, {.seed = seed, .server_lateness = lateness});
          ASSERT_TRUE(verdict.status == verify::Status::pass || verdict.status == also_fine)
              << kind.name << ' ' << call.method << ", seed " << seed << '\n'
              << story(verdict);
        }
      }
    }
  }

 private:
  static bool is_declared(const scenario::Scenario& scenario, Jitter jitter) {
    const auto& backoff = scenario.expect.backoff;
    return !backoff || backoff->jitter == Jitter::any || backoff->jitter == jitter;
  }
};

TEST_P(RightClients, pass) {
  judge_all(20, 0ms, verify::Status::pass);
}

TEST_P(RightClients, are_not_blamed_for_a_late_host) {
  for (const Duration lateness : {50ms, 500ms, 2000ms}) {
    judge_all(5, lateness, verify::Status::inconclusive);
  }
}

std::string test_name(const testing::TestParamInfo<scenario::CatalogueEntry>& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RightClients, testing::ValuesIn(scenario::catalogue()),
                         test_name);

}  // namespace
}  // namespace retrylab::zoo
