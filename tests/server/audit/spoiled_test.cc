// SPDX-License-Identifier: MIT
#include "server/audit/spoiled.h"

#include <gtest/gtest.h>

namespace retrylab::audit {
namespace {

using Outcome = journal::ClientEnd::Outcome;
using verify::Status;

struct Broken {
  std::string id;
  Status status = Status::fail;
  bool lacks_samples = false;
};

Case case_of(Status status, const std::vector<Broken>& rules, Outcome end = Outcome::success,
             std::uint32_t connections = 1) {
  Case one;
  one.verdict.status = status;
  one.verdict.rules.push_back({.id = "BO-1", .status = Status::pass});
  for (const Broken& rule : rules) {
    one.verdict.rules.push_back(
        {.id = rule.id, .status = rule.status, .lacks_samples = rule.lacks_samples});
  }
  journal::Run run;
  run.connections_opened = connections;
  run.clients.push_back({.outcome = end});
  one.runs.push_back(std::move(run));
  return one;
}

TEST(Spoiled, a_fail_is_looked_at_again_only_where_time_alone_is_broken) {
  EXPECT_TRUE(is_spoiled(case_of(Status::fail, {{"client"}})));
  EXPECT_TRUE(is_spoiled(case_of(Status::fail, {{"total_time"}})));
  EXPECT_TRUE(is_spoiled(case_of(Status::fail, {{"client"}, {"total_time"}})));
  EXPECT_FALSE(is_spoiled(case_of(Status::fail, {{"client"}, {"attempts"}})));
  EXPECT_FALSE(is_spoiled(case_of(Status::fail, {{"RA-1"}})));
}

TEST(Spoiled, who_hung_would_have_to_be_stopped_again) {
  EXPECT_FALSE(is_spoiled(case_of(Status::fail, {{"client"}}, Outcome::hung)));
  EXPECT_FALSE(
      is_spoiled(case_of(Status::inconclusive, {{"RA-1", Status::inconclusive}}, Outcome::hung)));
}

TEST(Spoiled, who_was_stopped_before_it_connected_gets_another_run) {
  EXPECT_TRUE(is_spoiled(case_of(Status::inconclusive, {}, Outcome::hung, 0)));
}

TEST(Spoiled, inconclusive_for_evidence_is_looked_at_again_for_few_samples_not) {
  EXPECT_TRUE(is_spoiled(case_of(Status::inconclusive, {{"RA-1", Status::inconclusive}})));
  EXPECT_FALSE(is_spoiled(case_of(Status::inconclusive, {{"BO-4", Status::inconclusive, true}})));
}

TEST(Spoiled, a_pass_stands) {
  EXPECT_FALSE(is_spoiled(case_of(Status::pass, {})));
}

}  // namespace
}  // namespace retrylab::audit
