// SPDX-License-Identifier: MIT
#include "server/audit/scorecard.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client_lib/retry/presets.h"
#include "server/audit/grade.h"
#include "tests/server/audit/virtual_audit.h"

namespace retrylab::audit {
namespace {

using verify::Status;

Scorecard card_of(const Policy& policy) {
  return score(audit_virtually(policy, 1, {.quick = true}), {.client = "a client"});
}

Grade grade_of(const Scorecard& card, Topic topic) {
  return std::ranges::find(card.topics, topic, &TopicLine::topic)->grade;
}

TEST(Scorecard, a_careful_client_has_the_best_grade) {
  const Scorecard card = card_of(careful());
  for (const RuleLine& rule : card.rules) {
    EXPECT_TRUE(rule.status == Status::pass || rule.status == Status::advice)
        << rule.id << ": " << rule.evidence;
  }
  EXPECT_EQ(card.status, Status::pass);
  EXPECT_LE(card.overall, Grade::b);
}

TEST(Scorecard, a_client_that_never_retries_gets_no_grade_for_its_backoff) {
  Policy policy = careful();
  policy.attempts = 1;
  const Scorecard card = card_of(policy);
  EXPECT_EQ(grade_of(card, Topic::backoff), Grade::not_seen);
  EXPECT_EQ(grade_of(card, Topic::retry_after), Grade::not_seen);
  const auto refused =
      std::ranges::find(card.scenarios, "bad-request-never-retried", &ScenarioLine::name);
  EXPECT_EQ(refused->status, Status::not_applicable);
  EXPECT_THAT(refused->reason, testing::HasSubstr("never retries anything"));
}

TEST(Scorecard, a_scenario_needs_no_more_attempts_than_the_client_makes) {
  Policy policy = careful();
  policy.attempts = 2;
  const Scorecard card = card_of(policy);
  const auto thrice =
      std::ranges::find(card.scenarios, "two-503-then-success", &ScenarioLine::name);
  EXPECT_EQ(thrice->status, Status::not_applicable);
  EXPECT_THAT(thrice->reason, testing::HasSubstr("makes 2 attempts at most"));
}

TEST(Scorecard, a_client_without_jitter_is_told_so) {
  Policy policy = careful();
  policy.backoff.jitter = Jitter::none;
  const Scorecard card = card_of(policy);
  const auto rule = std::ranges::find(card.rules, "BO-4", &RuleLine::id);
  ASSERT_NE(rule, card.rules.end());
  EXPECT_EQ(rule->status, Status::fail);
  EXPECT_THAT(rule->scenarios, testing::ElementsAre("audit-unavailable"));
}

TEST(Scorecard, a_client_that_hardly_ever_connected_in_time_has_no_overall_grade) {
  auto cases = audit_virtually(careful(), 1, {.quick = true});
  for (std::size_t i = 0; i < cases.size() / 2; ++i) {
    journal::Run& run = cases[i].runs.front();
    run.connections_opened = 0;
    run.clients.assign(1, {.outcome = journal::ClientEnd::Outcome::hung});
  }
  const Scorecard card = score(cases, {.client = "a client"});
  EXPECT_EQ(card.overall, Grade::not_seen);
  EXPECT_EQ(card.status, Status::inconclusive);
  EXPECT_THAT(card.notes, testing::Contains(testing::HasSubstr("no overall grade")));
}

struct GradeCase {
  int kept, broken, advised;
  Grade grade;
};

TEST(Grade, is_by_the_share_of_broken_rules) {
  for (const GradeCase& c :
       {GradeCase{0, 0, 0, Grade::not_seen}, GradeCase{3, 0, 0, Grade::a},
        GradeCase{3, 0, 1, Grade::b}, GradeCase{3, 1, 0, Grade::c}, GradeCase{2, 1, 0, Grade::d},
        GradeCase{3, 2, 0, Grade::d}, GradeCase{2, 2, 0, Grade::f}, GradeCase{0, 1, 0, Grade::f}}) {
    std::vector<RuleLine> rules;
    const auto add = [&rules](int count, Status status) {
      for (int i = 0; i < count; ++i) {
        rules.push_back({.id = "BO-1", .topic = Topic::backoff, .status = status});
      }
    };
    add(c.kept, Status::pass);
    add(c.broken, Status::fail);
    add(c.advised, Status::advice);
    EXPECT_EQ(grade_topic(Topic::backoff, rules).grade, c.grade)
        << c.kept << " " << c.broken << " " << c.advised;
  }
}

TEST(Grade, a_second_effect_is_an_f_whatever_else_is_kept) {
  std::vector<RuleLine> rules(9,
                              {.id = "ID-5", .topic = Topic::idempotency, .status = Status::pass});
  rules.push_back({.id = "ID-8", .topic = Topic::idempotency, .status = Status::fail});
  EXPECT_EQ(grade_topic(Topic::idempotency, rules).grade, Grade::f);
}

}  // namespace
}  // namespace retrylab::audit
