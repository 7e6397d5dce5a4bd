// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using scenario::Jitter;
using ::testing::HasSubstr;

auto waits(const std::vector<Duration>& all, Jitter jitter = Jitter::full) {
  return [=](Stage& s) {
    s.backoff(250ms, 8s, jitter);
    s.failing(all);
  };
}

// Waits that have grown to the cap of 8 s, and then these.
auto at_the_cap(const std::vector<Duration>& then) {
  std::vector<Duration> all{200ms, 400ms, 900ms, 1900ms, 3900ms};
  all.insert(all.end(), then.begin(), then.end());
  return waits(all);
}

TEST(Bo1, no_wait_is_longer_than_the_backoff_allows) {
  expect_rows(
      "BO-1",
      {
          {"within it", at_the_cap({8s, 300ms}), Status::pass},
          {"late by what any host may be", at_the_cap({8024ms, 8024ms}), Status::pass},
          {"a slight excess, once", at_the_cap({8200ms}), Status::advice},
          {"a slight excess, twice", at_the_cap({8200ms, 8200ms}), Status::fail},
          {"a tenth and more, once", at_the_cap({9s}), Status::fail},
          {"the host explains it",
           [](Stage& s) {
             at_the_cap({9s})(s);
             s.run.lag(12s, 1200ms);
           },
           Status::inconclusive},
          {"the host explains part of it",
           [](Stage& s) {
             at_the_cap({12s})(s);
             s.run.lag(12s, 1200ms);
           },
           Status::fail},
          {"a lag at another time explains only a little",
           [](Stage& s) {
             at_the_cap({12s})(s);
             s.run.lag(100ms, 50ms);
           },
           Status::fail},
          {"connecting takes its time",
           [](Stage& s) {
             at_the_cap({8060ms, 8060ms})(s);
             for (const auto& attempt : s.run.run().attempts) {
               s.run.run().connections.push_back(
                   {.id = attempt.connection, .accepted = attempt.first_byte - 40ms});
             }
           },
           Status::pass},
          {"a refused port may hide an attempt",
           [](Stage& s) {
             at_the_cap({12s, 12s})(s);
             s.scenario.outages.push_back(
                 {.from = 1s, .until = 30s, .what = scenario::Outage::Do::refuse, .answer = {}});
           },
           Status::inconclusive},
          {"what the server asked for is not the client's own",
           [](Stage& s) {
             s.backoff(250ms, 1s, Jitter::full);
             s.run.get(0ms).answered(503).retry_after("5");
             s.run.get(5100ms);
           },
           Status::not_applicable},
          {"beyond that retry's own ceiling, far below the cap", waits({200ms, 1900ms}),
           Status::fail},
          {"at that retry's own ceiling", waits({250ms, 500ms, 1s}), Status::pass},
          {"a base without a cap",
           [](Stage& s) {
             s.expect.backoff = scenario::ExpectBackoff{.base = 200ms, .jitter = Jitter::full};
             s.failing({1900ms});
           },
           Status::fail},
          {"nothing declared",
           [](Stage& s) {
             s.failing({100ms, 90s});
           },
           Status::not_applicable},
      });
}

TEST(Bo3, declared_jitter_with_a_lower_bound_makes_one_proof) {
  expect_rows(
      "BO-3",
      {
          {"waits", waits({150ms, 300ms}, Jitter::equal), Status::pass},
          {"at once", waits({0ms, 300ms}, Jitter::equal), Status::fail},
          {"below half", waits({90ms, 300ms}, Jitter::equal), Status::fail},
          {"no jitter means the whole base", waits({200ms, 500ms}, Jitter::none), Status::fail},
          {"rounded down a little", waits({245ms, 500ms}, Jitter::none), Status::advice},
          {"the server asked for nothing",
           [](Stage& s) {
             s.backoff(250ms, 8s, Jitter::equal);
             s.run.get(0ms).answered(503).retry_after("0");
             s.run.get(1ms);
           },
           Status::not_applicable},
          {"a stack's silent resend is no retry",
           [](Stage& s) {
             s.backoff(250ms, 8s, Jitter::equal);
             s.run.get(0ms, "/first").connection(1, 1);
             s.run.get(1s).connection(1, 2).closed();
             s.run.get(1002ms).connection(2, 1);
           },
           Status::not_applicable},
      });
}

TEST(Bo3, full_jitter_needs_a_number_of_them) {
  const auto repeated = [](int at_once, int others) {
    return [=](Stage& s) {
      s.backoff(250ms, 8s, Jitter::full);
      const auto tell = [](RunBuilder& run, Duration wait) {
        run.get(0ms).answered(503);
        run.get(1ms + wait);
      };
      tell(s.run, 0ms);
      for (int i = 1; i < at_once; ++i) {
        s.more.emplace_back(static_cast<std::uint32_t>(s.more.size() + 2));
        tell(s.more.back(), 1ms);
      }
      for (int i = 0; i < others; ++i) {
        s.more.emplace_back(static_cast<std::uint32_t>(s.more.size() + 2));
        tell(s.more.back(), 6ms + 2ms * (i * 37 % 113));
      }
    };
  };
  expect_rows("BO-3", {
                          {"one is chance", repeated(1, 0), Status::advice},
                          {"two of two are almost proof", repeated(2, 0), Status::advice},
                          {"three of three are proof", repeated(3, 0), Status::fail},
                          {"three of a hundred are chance", repeated(3, 97), Status::advice},
                          {"none", [](Stage& s) { waits({100ms})(s); }, Status::pass},
                      });
}

TEST(Bo3, later_retries_at_once_are_proof_together) {
  const std::vector<Duration> hot(9, 1ms);
  expect_rows("BO-3", {
                          {"nine retries of one operation, all at once",
                           [&](Stage& s) { s.failing(hot); }, Status::fail},
                          {"the same where full jitter is declared", waits(hot), Status::fail},
                          {"one of nine is chance",
                           waits({1ms, 400ms, 3ms, 700ms, 2s, 5s, 7s, 6s, 5s}), Status::advice},
                      });
}

TEST(Bo3, says_how_many_repeats_tell) {
  Stage declared;
  declared.backoff(250ms, 8s, Jitter::full);
  declared.failing({0ms});
  EXPECT_THAT(result_of(declared.judge(), "BO-3").observed,
              testing::HasSubstr("once in 50 times: --repeat 6 tells"));
  Stage undeclared;
  undeclared.failing({0ms});
  EXPECT_THAT(result_of(undeclared.judge(), "BO-3").observed,
              testing::HasSubstr("once in 10 times: --repeat 10 tells"));
}

TEST(Bo3, without_a_declared_base_it_takes_one_more) {
  const auto runs = [](std::uint32_t count) {
    return [=](Stage& s) {
      s.run.get(0ms).answered(503);
      s.run.get(2ms);
      for (std::uint32_t i = 2; i <= count; ++i) {
        s.more.emplace_back(i);
        s.more.back().get(0ms).answered(503);
        s.more.back().get(2ms);
      }
    };
  };
  expect_rows("BO-3", {{"three", runs(3), Status::advice}, {"five", runs(5), Status::fail}});
}

}  // namespace
}  // namespace retrylab::verify
