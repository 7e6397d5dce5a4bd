// SPDX-License-Identifier: MIT
// What looks like retries and is not, or not only: layers, hedges, a stack's silent resend. Each
// is told from an ordinary retry by all rules together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A retry that counts itself in its query is one; another page, after a success, is not.
TEST(Chains, a_query_that_changes_after_a_failure_makes_no_other_request) {
  const auto tries = [](int status) {
    return [status](Stage& s) {
      s.expect.attempts = scenario::CountRange{.max = 2};
      for (int i = 0; i < 4; ++i) {
        s.run.get(300ms * i, "/list?try=" + std::to_string(i)).answered(i < 3 ? status : 200);
      }
    };
  };
  expect_rows("AT-1", {
                          {"the same again", tries(503), Status::fail, "attempts"},
                          {"the next page", tries(200), Status::pass, "attempts"},
                      });
}

TEST(Layers, are_reported_as_a_product) {
  Stage stage;
  stage.expect.attempts = scenario::CountRange{.max = 4};
  stage.failing({100ms, 200ms, 2s, 100ms, 200ms, 2s, 100ms, 200ms});
  const RuleResult layers = result_of(stage.judge(), "AT-7");
  EXPECT_EQ(layers.status, Status::fail);
  EXPECT_THAT(layers.observed, StartsWith("9 attempts, 3 x 3:"));
}

TEST(Layers, of_different_sizes_are_told_apart) {
  Stage stage;
  stage.expect.attempts = scenario::CountRange{.max = 4};
  stage.failing({50ms, 2s, 50ms, 2s, 50ms, 2s, 50ms});
  EXPECT_THAT(result_of(stage.judge(), "AT-7").observed, StartsWith("8 attempts, 4 x 2:"));
}

// Nine attempts of one loop grow apart, but not in bursts: AT-1's matter.
TEST(Layers, are_not_seen_in_one_long_loop) {
  Stage stage;
  stage.expect.attempts = scenario::CountRange{.max = 4};
  stage.failing({100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 8s});
  const Verdict verdict = stage.judge();
  EXPECT_EQ(ids_with(verdict, Status::fail), "AT-1 attempts");
}

// Three at once, a second apart, then a retry when all have failed: its wait is the only one.
TEST(Hedges, are_no_retries) {
  Stage stage;
  stage.backoff(1s, 8s, scenario::Jitter::equal);
  stage.expect.hedging_delay = 1s;
  stage.run.get(0ms).answered(503, 4s);
  stage.run.get(1s).answered(503, 3s);
  stage.run.get(2s).answered(503, 2s);
  stage.run.get(4700ms).answered(200);
  const Verdict verdict = stage.judge();
  EXPECT_EQ(ids_with(verdict, Status::fail), "");
  EXPECT_EQ(result_of(verdict, "AT-6").observed, "kept 2 times");
  EXPECT_THAT(result_of(verdict, "AT-5").observed, HasSubstr("hedging is declared"));
  // Of four attempts one came after a wait of the client's own.
  EXPECT_EQ(result_of(verdict, "BO-1").observed, "kept 1 time");
}

TEST(Hedges, are_overlapping_attempts_where_nobody_declares_them) {
  Stage stage;
  stage.run.get(0ms).answered(200, 4s);
  stage.run.get(1s).answered(200, 3s);
  EXPECT_EQ(ids_with(stage.judge(), Status::fail), "AT-5");
}

// The connection had been used before and died unanswered: the stack sent again by itself, with
// no policy asked. The retry after it is the first one.
TEST(Resends, are_no_retries) {
  Stage stage;
  stage.backoff(1s, 8s, scenario::Jitter::equal);
  stage.expect.attempts = scenario::CountRange{.max = 3};
  stage.run.get(0ms, "/login").connection(1, 1);
  stage.run.get(1s).connection(1, 2).closed();
  stage.run.get(1002ms).connection(2, 1).answered(503);
  stage.run.get(1900ms).connection(2, 2).answered(200);
  const Verdict verdict = stage.judge();
  EXPECT_EQ(ids_with(verdict, Status::fail), "");  // three, without the resend
  EXPECT_EQ(result_of(verdict, "AT-1").status, Status::pass);
  EXPECT_EQ(result_of(verdict, "BO-3").status, Status::pass);
}

// The same two milliseconds on a fresh connection are the client's own doing.
TEST(Resends, need_a_connection_that_was_used_before) {
  Stage stage;
  stage.backoff(1s, 8s, scenario::Jitter::equal);
  stage.run.get(0ms).connection(1, 1).closed();
  stage.run.get(2ms).connection(2, 1).answered(200);
  EXPECT_EQ(ids_with(stage.judge(), Status::fail), "BO-3");
}

TEST(Resends, stay_in_their_operation_where_nothing_names_it) {
  Stage stage;
  stage.run.served();
  stage.run.get(0ms, "/other").connection(1, 1);
  stage.run.get(1s).connection(1, 2).closed();
  stage.run.get(1002ms).connection(2, 1).answered(200);
  const Verdict verdict = stage.judge();
  ASSERT_EQ(verdict.operations.size(), 2u);
  EXPECT_EQ(verdict.operations[1].attempts.size(), 2u);
  EXPECT_EQ(verdict.grouping, Grouping::fingerprint);
}

}  // namespace
}  // namespace retrylab::verify
