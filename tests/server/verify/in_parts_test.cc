// SPDX-License-Identifier: MIT
// However the work is shared out, the verdict is the same.
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client_lib/base/random.h"
#include "server/verify/evidence.h"
#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;

void last_first(const Tasks& tasks) {
  for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) (*task)();
}

// Every word of it that a report could tell.
std::string told(const Verdict& verdict) {
  std::string text = std::string(word(verdict.status)) + ' ' + std::string(word(verdict.grouping));
  for (const RuleResult& rule : verdict.rules) {
    text += '\n' + rule.id + ' ' + std::string(word(rule.status)) + ' ' + rule.expected + ' ' +
            rule.observed;
    for (const AttemptRef& ref : rule.attempts) text += ' ' + std::to_string(ref.attempt);
  }
  for (const Operation& operation : verdict.operations) {
    text += '\n' + std::to_string(operation.number) + operation.name;
    for (const AttemptRef& ref : operation.attempts) text += ' ' + std::to_string(ref.attempt);
  }
  return text;
}

// More operations than one part holds, some of them with two chains, some that come early.
void many_operations(Stage& stage) {
  Random random = Random::stream(3, "parts");
  stage.run.served();
  for (int i = 0; i < 10'000; ++i) {
    const std::string name = std::to_string(i);
    const Duration at = 1ms * i;
    const Duration wait = random.between(0ms, 250ms);
    stage.run.post(at).operation(name).key("key-" + name).answered(503);
    if (i % 7 == 0) stage.run.get(at + 2ms, "/token").operation(name).answered(200);
    stage.run.post(at + 3ms + wait).operation(name).key("key-" + name).answered(201).executed();
    if (i % 1000 == 0) stage.run.post(at + 1s).operation(name).key("other").answered(201);
  }
  stage.backoff(250ms, 1s, scenario::Jitter::full);
}

TEST(InParts, the_verdict_is_the_same_in_any_order) {
  Stage stage;
  many_operations(stage);
  const std::vector<journal::Run> runs{stage.run.build()};
  const Verdict verdict = verify(stage.scenario, runs);
  EXPECT_EQ(verdict.operations.size(), 10'000U);
  EXPECT_EQ(told(verify(stage.scenario, runs, Statistics::where_possible, last_first)),
            told(verdict));
}

TEST(InParts, every_attempt_is_in_the_evidence_once) {
  Stage stage;
  many_operations(stage);
  const std::vector<journal::Run> runs{stage.run.build()};
  const Evidence evidence(stage.scenario, runs, last_first);
  std::vector<journal::AttemptId> ids;
  for (const AttemptEvidence& attempt : evidence.attempts) ids.push_back(attempt.record->id);
  EXPECT_EQ(ids.size(), evidence.attempts.size());
  std::ranges::sort(ids);
  ASSERT_EQ(ids.size(), runs[0].attempts.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(ids[i], i + 1);
  std::size_t chained = 0;
  for (const Chain& chain : evidence.chains) {
    chained += chain.attempts.size();
    EXPECT_EQ(chain.gaps.size() + 1, chain.attempts.size());
  }
  EXPECT_EQ(chained, ids.size());
}

}  // namespace
}  // namespace retrylab::verify
