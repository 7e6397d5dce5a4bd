// SPDX-License-Identifier: MIT
// What holds for verdicts as a whole.
#include "server/verify/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "server/verify/profile.h"
#include "server/verify/rules/rules.h"
#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Verdict, one_failed_rule_fails_the_run) {
  Stage stage;
  stage.run.get(0ms).answered(503).retry_after("5");
  stage.run.get(100ms);
  EXPECT_EQ(stage.judge().status, Status::fail);
}

TEST(Verdict, spoiled_evidence_makes_it_inconclusive) {
  Stage stage;
  stage.run.get(0ms).answered(503);
  EXPECT_EQ(stage.judge().status, Status::inconclusive);
}

TEST(Verdict, a_failure_outweighs_spoiled_evidence) {
  Stage stage;
  stage.run.get(0ms).answered(400);
  stage.run.get(1s).answered(503);
  EXPECT_EQ(stage.judge().status, Status::fail);
}

TEST(Verdict, advice_and_what_does_not_apply_change_nothing) {
  Stage stage;
  stage.run.get(0ms).answered(503).retry_after("1");
  stage.run.get(3s);
  const Verdict verdict = stage.judge();
  EXPECT_EQ(ids_with(verdict, Status::advice), "RA-2");
  EXPECT_EQ(verdict.status, Status::pass);
}

TEST(Verdict, is_the_same_each_time) {
  Stage stage;
  stage.failing({100ms, 200ms, 9s});
  const Verdict one = stage.judge();
  const Verdict other = stage.judge();
  ASSERT_EQ(one.rules.size(), other.rules.size());
  for (std::size_t i = 0; i < one.rules.size(); ++i) {
    EXPECT_EQ(one.rules[i].observed, other.rules[i].observed);
    EXPECT_EQ(one.rules[i].status, other.rules[i].status);
  }
}

TEST(Verdict, lists_operations_with_their_attempts_in_order) {
  Stage stage;
  stage.run.served();
  stage.run.get(0ms, "/a").answered(503);
  stage.run.get(1ms, "/b").answered(503);
  stage.run.get(1s, "/a");
  stage.run.get(2s, "/b");
  const Verdict verdict = stage.judge();
  ASSERT_EQ(verdict.operations.size(), 2u);
  EXPECT_EQ(verdict.grouping, Grouping::fingerprint);
  EXPECT_THAT(verdict.operations[0].attempts, ElementsAre(AttemptRef{1, 1}, AttemptRef{1, 3}));
  EXPECT_THAT(verdict.operations[1].attempts, ElementsAre(AttemptRef{1, 2}, AttemptRef{1, 4}));
}

TEST(Verdict, an_operation_over_two_targets_keeps_the_order_of_arrival) {
  Stage stage;
  stage.run.get(0ms, "/a").answered(503);
  stage.run.get(1s, "/b");
  stage.run.get(2s, "/a");
  const Verdict verdict = stage.judge();
  ASSERT_EQ(verdict.operations.size(), 1u);
  EXPECT_THAT(verdict.operations[0].attempts,
              ElementsAre(AttemptRef{1, 1}, AttemptRef{1, 2}, AttemptRef{1, 3}));
}

TEST(Verdict, several_runs_are_named_in_the_findings) {
  Stage stage;
  stage.run.get(0ms);
  stage.more.emplace_back(2);
  stage.more.back().get(0ms).answered(503).retry_after("5");
  stage.more.back().get(1s);
  EXPECT_EQ(result_of(stage.judge(), "RA-1").observed,
            "run 2, attempt 2 came 999ms after a 503 that asked for 5s");
}

TEST(Verdict, many_findings_of_one_kind_are_one_with_the_worst_first) {
  Stage stage;
  stage.run.get(0ms).answered(503).retry_after("5");
  stage.run.get(2s).answered(503).retry_after("5");
  stage.run.get(3s).answered(503).retry_after("5");
  stage.run.get(5s);
  const RuleResult result = result_of(stage.judge(), "RA-1");
  EXPECT_EQ(result.observed, "attempt 3 came 999ms after a 503 that asked for 5s (2 more like it)");
  EXPECT_EQ(result.missed_by, 4001ms);
  EXPECT_EQ(result.attempts.size(), 4u);
}

TEST(Verdict, a_rule_that_the_scenario_turns_off_is_not_judged) {
  Stage stage;
  stage.expect.disabled_rules = {"RA-1"};
  stage.run.get(0ms).answered(503).retry_after("5");
  stage.run.get(1s);
  const RuleResult result = result_of(stage.judge(), "RA-1");
  EXPECT_EQ(result.status, Status::not_applicable);
  EXPECT_EQ(result.observed, "turned off by the scenario");
}

TEST(Verdict, never_rules_say_what_their_chances_prove) {
  Stage stage;
  stage.run.served();
  for (int i = 0; i < 30; ++i) stage.run.get(1s * i, "/" + std::to_string(i)).answered(404);
  EXPECT_THAT(result_of(stage.judge(), "CLS-2").observed,
              HasSubstr("never in 30 chances (so at most 10% of the time"));
}

TEST(Verdict, notes_say_what_was_dropped_and_what_was_never_used) {
  Stage stage;
  stage.run.get(0ms);
  stage.run.dropped(3);
  stage.run.run().steps_unused = 1;
  stage.expect.profile = "carefree";
  EXPECT_THAT(stage.judge().notes,
              ElementsAre(HasSubstr("no profile \"carefree\""), HasSubstr("dropped 3 attempts"),
                          HasSubstr("1 step of the script was never used")));
}

TEST(Verdict, notes_say_why_connections_came_to_no_request) {
  Stage stage;
  stage.run.get(0ms);
  for (journal::ConnectionId id = 101; id <= 102; ++id) {
    stage.run.run().connections.push_back(
        {.id = id, .note = "TLS alert of the client: unknown CA"});
  }
  EXPECT_THAT(stage.judge().notes,
              ElementsAre("2 connections: TLS alert of the client: unknown CA"));
}

TEST(Verdict, a_run_without_anything_to_say_has_no_notes) {
  Stage stage;
  stage.run.get(0ms);
  EXPECT_THAT(stage.judge().notes, IsEmpty());
}

TEST(Rules, have_an_id_a_statement_and_a_decision_each) {
  std::set<std::string_view> ids;
  for (const Rule* rule : all_rules()) {
    EXPECT_TRUE(ids.insert(rule->id).second) << rule->id;
    EXPECT_FALSE(rule->statement.empty()) << rule->id;
    EXPECT_FALSE(rule->decision.empty()) << rule->id;
    EXPECT_NE(rule->judge, nullptr) << rule->id;
    const bool has_number = rule->id.find('-') != std::string_view::npos;
    EXPECT_EQ(has_number, !rule->source.empty()) << rule->id;
    EXPECT_EQ(find_rule(rule->id), rule);
  }
  EXPECT_EQ(find_rule("XX-1"), nullptr);
}

TEST(Profiles, are_found_by_name_and_careful_by_default) {
  EXPECT_EQ(find_profile("")->name, "careful");
  EXPECT_EQ(find_profile("carefree"), nullptr);
  for (const Profile* profile : all_profiles()) {
    EXPECT_EQ(find_profile(profile->name), profile);
    EXPECT_FALSE(profile->about.empty());
    EXPECT_FALSE(profile->sides.empty());
    for (const RuleTake& take : profile->takes) {
      const bool is_family = take.id.ends_with('*');
      EXPECT_TRUE(is_family || find_rule(take.id) != nullptr) << profile->name << take.id;
    }
  }
}

TEST(Profiles, core_asks_for_no_retry_but_for_no_early_one) {
  Stage stage;
  stage.expect.profile = "core";
  stage.run.get(0ms, "/a").answered(503);
  stage.run.get(1s, "/b").answered(503).retry_after("5");
  stage.run.get(2s, "/b");
  stage.run.client(ClientOutcome::failure, 3s);
  EXPECT_EQ(ids_with(stage.judge(), Status::fail), "RA-1");
}

TEST(Profiles, envoy_discards_what_is_too_long) {
  Stage stage;
  stage.expect.profile = "envoy";
  stage.run.get(0ms).answered(503).retry_after("400");
  stage.run.get(20ms);
  EXPECT_EQ(ids_with(stage.judge(), Status::fail), "");
}

}  // namespace
}  // namespace retrylab::verify
