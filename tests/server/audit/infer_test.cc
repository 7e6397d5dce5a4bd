// SPDX-License-Identifier: MIT
// The policies that are inferred are those that the clients had.
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client_lib/retry/policy_json.h"
#include "client_lib/retry/presets.h"
#include "server/audit/infer/infer.h"
#include "server/audit/policy_card.h"
#include "tests/server/audit/known_policies.h"
#include "tests/server/audit/virtual_audit.h"

namespace retrylab::audit {
namespace {

using namespace std::chrono_literals;

Findings found_of(const Policy& policy, std::uint64_t seed) {
  return infer(audit_virtually(policy, seed, {.policy_only = true}));
}

TEST(Infer, the_careful_preset_is_known_again) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const Score& score : compare(careful(), found_of(careful(), seed))) {
      EXPECT_NE(score.hit, Hit::wrong) << score.property << ": " << score.story;
    }
  }
}

TEST(Infer, a_policy_without_jitter_has_its_exact_numbers) {
  Policy policy = careful();
  policy.backoff = {.base = 100ms, .factor_thousandths = 3000, .cap = 2s, .jitter = Jitter::none};
  policy.attempts = 6;
  const Findings found = found_of(policy, 1);
  EXPECT_EQ(found.attempts.most, 6U);
  EXPECT_EQ(found.backoff.jitter, Jitter::none);
  EXPECT_TRUE(found.backoff.is_decided);
  EXPECT_EQ(found.backoff.base, 100ms);
  EXPECT_EQ(found.backoff.factor_thousandths, 3000);
  EXPECT_EQ(found.backoff.cap, 2s);
}

TEST(Infer, a_client_that_never_retries_has_no_backoff) {
  Policy policy = careful();
  policy.attempts = 1;
  const Findings found = found_of(policy, 1);
  EXPECT_EQ(found.attempts.most, 1U);
  EXPECT_FALSE(found.backoff.seen);
  EXPECT_TRUE(found.never_retries());
}

Answer refused_is_retried(const Policy& policy, std::uint64_t seed, bool ends_when_refused) {
  const auto cases = audit_virtually(
      policy, seed, {.quick = true, .policy_only = true, .ends_when_refused = ends_when_refused});
  return infer(cases).reaction("refused", "GET");
}

TEST(Infer, a_refused_connection_is_retried_or_is_the_end) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_NE(refused_is_retried(careful(), seed, false), Answer::no) << seed;
    EXPECT_EQ(refused_is_retried(careful(), seed, true), Answer::no) << seed;
  }
  EXPECT_EQ(refused_is_retried(careful(), 1, false), Answer::yes);
}

TEST(Infer, what_was_never_refused_is_not_told) {
  Policy slow = careful();
  slow.backoff = {.base = 2s, .factor_thousandths = 2000, .cap = 8s, .jitter = Jitter::none};
  EXPECT_EQ(refused_is_retried(slow, 1, false), Answer::unknown);
  Policy one_retry = careful();
  one_retry.attempts = 2;
  EXPECT_NE(refused_is_retried(one_retry, 1, true), Answer::yes);
  Policy none = careful();
  none.attempts = 1;
  EXPECT_EQ(refused_is_retried(none, 1, true), Answer::unknown);
}

TEST(Infer, the_last_attempt_of_a_client_that_ignores_waits_refuses_none) {
  Policy policy = careful();
  policy.server_wait.rule = RetryAfterRule::ignore;
  for (std::uint32_t attempts = 2; attempts <= 4; ++attempts) {
    policy.attempts = attempts;
    const Findings found = found_of(policy, attempts);
    EXPECT_EQ(found.waits.refused, std::nullopt) << attempts;
    EXPECT_EQ(found.waits.seconds, Answer::no) << attempts;
    EXPECT_EQ(found.waits.clamp, std::nullopt) << attempts;
  }
}

TEST(Infer, random_policies_are_hardly_ever_taken_for_others) {
  constexpr int kPolicies = 60;
  std::map<std::string, int> wrong;
  std::map<std::string, int> right;
  std::string stories;
  for (int i = 0; i < kPolicies; ++i) {
    Random random = Random::stream(7, "policy", static_cast<std::uint64_t>(i));
    const Policy policy = random_policy(random);
    for (const Score& score : compare(policy, found_of(policy, 1))) {
      const std::string property(score.property);
      if (score.hit == Hit::right) ++right[property];
      if (score.hit != Hit::wrong) continue;
      ++wrong[property];
      stories += property + ": " + score.story + " of " + policy_to_json(policy) + "\n";
    }
  }
  for (const auto& [property, count] : wrong) {
    EXPECT_LE(count, kPolicies / 15) << property << "\n" << stories;
  }
  EXPECT_GE(right["attempts"], kPolicies * 3 / 4);
  EXPECT_GE(right["base"], kPolicies * 3 / 4);
  EXPECT_GE(right["jitter kind"], kPolicies / 2);
}

TEST(PolicyCard, is_read_back_as_the_policy_that_it_says) {
  for (int i = 0; i < 20; ++i) {
    Random random = Random::stream(8, "policy", static_cast<std::uint64_t>(i));
    const Findings found = found_of(random_policy(random), 1);
    const auto policy = policy_from_json(policy_card(found));
    ASSERT_TRUE(policy) << policy.error().where << ": " << policy.error().message;
    EXPECT_EQ(policy->attempts, policy_of(found).attempts);
  }
}

TEST(PolicyCard, has_a_first_retry_at_once) {
  Policy truth = careful();
  truth.backoff = {.base = 1s, .cap = 20s, .first_at_once = true, .jitter = Jitter::none};
  const Policy card = policy_of(found_of(truth, 1));
  EXPECT_TRUE(card.backoff.first_at_once);
  EXPECT_EQ(card.backoff.base, 1s);
  EXPECT_EQ(card.backoff.factor_thousandths, 2000);
  EXPECT_FALSE(policy_of(found_of(careful(), 1)).backoff.first_at_once);
}

// 20 s are sat through, 61 s are not: as the libraries of several vendors do it.
TEST(PolicyCard, tells_a_wait_that_is_replaced_from_one_that_is_cut) {
  Policy truth = careful();
  truth.deadline = kForever;
  truth.server_wait.limit = 60s;
  truth.server_wait.rule = RetryAfterRule::honour_or_back_off;
  const Findings replaces = found_of(truth, 1);
  EXPECT_EQ(replaces.waits.replaced, 61s);
  EXPECT_EQ(replaces.waits.clamp, std::nullopt);
  EXPECT_EQ(policy_of(replaces).server_wait.rule, RetryAfterRule::honour_or_back_off);
  EXPECT_EQ(policy_of(replaces).server_wait.limit, 20s);
  truth.server_wait.rule = RetryAfterRule::clamp;
  const Findings cuts = found_of(truth, 1);
  EXPECT_EQ(cuts.waits.replaced, std::nullopt);
  EXPECT_EQ(policy_of(cuts).server_wait.rule, RetryAfterRule::clamp);
  EXPECT_GE(policy_of(cuts).server_wait.limit, 60s);
}

TEST(PolicyCard, of_a_client_that_showed_nothing_is_a_policy_all_the_same) {
  const auto policy = policy_from_json(policy_card({}));
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->attempts, 1U);
}

}  // namespace
}  // namespace retrylab::audit
