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

TEST(Bo1, no_wait_is_longer_than_the_cap) {
  expect_rows(
      "BO-1",
      {
          {"within it", waits({200ms, 400ms, 8s}), Status::pass},
          {"late by what any host may be", waits({200ms, 8024ms, 8024ms}), Status::pass},
          {"a slight excess, once", waits({200ms, 8200ms}), Status::advice},
          {"a slight excess, twice", waits({200ms, 8200ms, 8200ms}), Status::fail},
          {"a tenth and more, once", waits({200ms, 9s}), Status::fail},
          {"the host explains it",
           [](Stage& s) {
             waits({200ms, 9s})(s);
             s.run.lag(5s, 1200ms);
           },
           Status::inconclusive},
          {"the host explains part of it",
           [](Stage& s) {
             waits({200ms, 12s})(s);
             s.run.lag(5s, 1200ms);
           },
           Status::fail},
          {"a lag at another time explains only a little",
           [](Stage& s) {
             waits({200ms, 12s})(s);
             s.run.lag(100ms, 50ms);
           },
           Status::fail},
          {"connecting takes its time",
           [](Stage& s) {
             waits({200ms, 8060ms, 8060ms})(s);
             for (const auto& attempt : s.run.run().attempts) {
               s.run.run().connections.push_back(
                   {.id = attempt.connection, .accepted = attempt.first_byte - 40ms});
             }
           },
           Status::pass},
          {"a refused port may hide an attempt",
           [](Stage& s) {
             waits({200ms, 12s, 12s})(s);
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
