// SPDX-License-Identifier: MIT
// The exact certificates of RULES.md BU-3: in a total outage there is no chance in how many
// retries a budget lets through.
#include "client_lib/retry/budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/client_lib/retry/story.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

struct Outage {
  Policy policy;
  int operations = 0;
  Duration every{0};  // one operation begins every so often
  Outcome outcome = status(503);
};

// How many retries an outage sees. Waits are taken out of the policy, so that one operation is
// over before the next begins.
std::size_t retries_in(Outage outage, Budget& budget) {
  outage.policy.backoff = {.base = 0s, .cap = 0s, .jitter = Jitter::none};
  std::size_t retries = 0;
  for (int i = 0; i < outage.operations; ++i) {
    retries += tell({.policy = outage.policy,
                     .outcomes = {outage.outcome},
                     .guards = {.budget = &budget},
                     .start = Instant(outage.every * i)})
                   .waits.size();
  }
  return retries;
}

std::size_t retries_in(const Outage& outage) {
  Budget budget(*outage.policy.budget);
  return retries_in(outage, budget);
}

Policy grpc_with(std::int64_t tokens, std::uint32_t attempts) {
  Policy policy = grpc();
  policy.attempts = attempts;
  auto& bucket = std::get<TokenBucketPolicy>(*policy.budget);
  bucket.capacity = tokens * 1'000;
  bucket.floor = tokens * 500;
  return policy;
}

Policy finagle() {
  Policy policy = careful();
  policy.budget = budget_20_percent();
  return policy;
}

TEST(Budget, certificate_bu_3_aws) {
  EXPECT_EQ(retries_in({.policy = aws_standard_2_0(), .operations = 1'000}), 100U);
  EXPECT_EQ(retries_in({.policy = aws_standard_2_0(),
                        .operations = 1'000,
                        .outcome = failure(Failure::timeout)}),
            50U);
  EXPECT_EQ(retries_in({.policy = aws_standard_2_1(), .operations = 1'000}), 35U);
  EXPECT_EQ(retries_in({.policy = aws_standard_2_1(), .operations = 1'000, .outcome = status(429)}),
            100U);
}

TEST(Budget, certificate_bu_3_grpc) {
  EXPECT_EQ(retries_in({.policy = grpc_with(10, 2), .operations = 100}), 2U);
  EXPECT_EQ(retries_in({.policy = grpc_with(10, 4), .operations = 100}), 3U);
  EXPECT_EQ(retries_in({.policy = grpc_with(10, 5), .operations = 100}), 4U);
  EXPECT_EQ(retries_in({.policy = grpc_with(100, 4), .operations = 1'000}), 37U);
}

TEST(Budget, certificate_bu_4_grpc_recovers_after_its_successes) {
  for (const std::int64_t tokens : {10, 100}) {
    const Policy policy = grpc_with(tokens, 4);
    Budget budget(*policy.budget);
    retries_in({.policy = policy, .operations = 10'000}, budget);
    ASSERT_EQ(budget.bucket()->tokens(), 0);
    int successes = 0;
    while (budget.bucket()->tokens() <= tokens * 500) {
      tell({.policy = policy, .outcomes = {status(200)}, .guards = {.budget = &budget}});
      ++successes;
    }
    EXPECT_EQ(successes, tokens * 5 + 1);
  }
}

TEST(Budget, certificate_bu_3_sre_ten_percent_of_all_requests) {
  const std::size_t retries =
      retries_in({.policy = google_sre(), .operations = 1'000, .every = 100ms});
  EXPECT_GE(retries, 111U);
  EXPECT_LE(retries, 112U);
}

TEST(Budget, certificate_bu_3_finagle_per_window_and_per_minute) {
  EXPECT_EQ(retries_in({.policy = finagle(), .operations = 1'000, .every = 10ms}), 300U);
  EXPECT_EQ(retries_in({.policy = finagle(), .operations = 6'000, .every = 10ms}), 1'800U);
}

// RULES BU-2 on the retries themselves: no window of ten seconds holds more than the budget,
// give or take one slice.
TEST(Budget, no_window_holds_more_than_its_share) {
  Budget budget(RetryWindowPolicy{});
  std::vector<Duration> retries;
  for (Duration now{0}; now < 60s; now += 10ms) {
    budget.begin(Instant(now));
    BudgetHold hold;
    for (int i = 0; i < 4; ++i) {
      if (budget.take_retry(RetryCause::failure, Instant(now), hold)) retries.push_back(now);
    }
  }
  for (const Duration start : retries) {
    const auto inside = std::ranges::count_if(
        retries, [start](Duration at) { return at >= start && at < start + 10s; });
    ASSERT_LE(inside, 300 + 120) << start.count();  // 120: what one slice can hold
  }
}

TEST(Budget, certificate_bu_3_brooker_bucket) {
  Policy policy = careful();
  policy.attempts = 4;
  policy.budget = TokenBucketPolicy{.capacity = 5'000,
                                    .retry_cost = 1'000,
                                    .timeout_cost = 1'000,
                                    .throttle_cost = 1'000,
                                    .first_try_gain = 100,
                                    .success_gain = 0,
                                    .refund_on_success = false,
                                    .floor = 1'000};
  EXPECT_EQ(retries_in({.policy = policy, .operations = 1'000}), 100U + 4U);
}

// Envoy: at every instant at most max(3, 20 % of the operations in flight) are retrying.
TEST(Budget, certificate_bu_3_envoy_at_every_instant) {
  Random random(5);
  Budget budget(RetryConcurrencyPolicy{});
  struct Operation {
    BudgetHold hold;
  };
  std::vector<Operation> running;
  std::uint64_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (running.empty() || (running.size() < 200 && random.chance({1, 3}))) {
      budget.begin(Instant());
      running.emplace_back();
    } else {
      const std::size_t chosen = random.below(running.size());
      if (random.chance({2, 3})) {
        const bool granted =
            budget.take_retry(RetryCause::failure, Instant(), running[chosen].hold);
        if (granted) {
          ASSERT_LE(budget.concurrency()->retrying(), budget.concurrency()->limit());
        }
      } else {
        budget.end(false, running[chosen].hold);
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(chosen));
      }
    }
    most = std::max(most, budget.concurrency()->retrying());
  }
  EXPECT_GT(most, 3U);
  for (const Operation& operation : running) budget.end(false, operation.hold);
  EXPECT_EQ(budget.concurrency()->retrying(), 0U);
}

TEST(Budget, aws_refunds_as_its_sdks_do) {
  Budget budget(TokenBucketPolicy{});
  const auto play = [&](std::vector<Outcome> outcomes) {
    Policy policy = aws_standard_2_0();
    tell({.policy = policy, .outcomes = std::move(outcomes), .guards = {.budget = &budget}});
    return budget.bucket()->tokens();
  };
  EXPECT_EQ(play({status(200)}), 500'000);                             // full already
  EXPECT_EQ(play({status(503), status(503), status(200)}), 495'000);   // 10 taken, 5 back
  EXPECT_EQ(play({status(200)}), 496'000);                             // one for a clean success
  EXPECT_EQ(play({failure(Failure::timeout), status(200)}), 496'000);  // 10 taken, 10 back
  EXPECT_EQ(play({status(503), status(400)}), 491'000);                // nothing back
}

TEST(Budget, a_client_that_sends_little_may_still_retry) {
  EXPECT_EQ(retries_in({.policy = finagle(), .operations = 1, .every = 1s}), 4U);
}

}  // namespace
}  // namespace retrylab
