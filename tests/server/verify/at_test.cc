// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;

TEST(At1, no_more_attempts_than_declared) {
  const auto limited = [](const std::vector<Duration>& waits) {
    return [=](Stage& s) {
      s.expect.attempts = scenario::CountRange{.max = 3};
      s.failing(waits);
      s.run.client(ClientOutcome::failure, 60s);
    };
  };
  expect_rows("AT-1",
              {
                  {"as many as there are", limited({100ms, 200ms}), Status::pass},
                  {"one too many", limited({100ms, 200ms, 400ms}), Status::fail, "attempts"},
                  {"nothing declared",
                   [](Stage& s) {
                     s.failing({100ms, 100ms});
                   },
                   Status::not_applicable},
                  {"a silent resend does not count",
                   [](Stage& s) {
                     s.expect.attempts = scenario::CountRange{.max = 2};
                     s.run.get(0ms, "/warm").connection(1);
                     s.run.get(1s).connection(1, 2).closed();
                     s.run.get(1002ms).connection(2, 1).answered(503);
                     s.run.get(2s).connection(2, 2);
                     s.expect.attempts->max = 3;
                   },
                   Status::pass},
                  {"dropped entries hide some, but too many are too many",
                   [](Stage& s) {
                     s.expect.attempts = scenario::CountRange{.max = 3};
                     s.failing({100ms, 200ms, 400ms});
                     s.run.dropped(2);
                   },
                   Status::fail, "attempts"},
                  {"dropped entries hide how many there were",
                   [&](Stage& s) {
                     limited({100ms})(s);
                     s.run.dropped(2);
                   },
                   Status::inconclusive},
              });
}

TEST(At2, all_attempts_are_made_while_every_one_fails) {
  const auto exactly = [](std::uint64_t count, const std::vector<Duration>& waits) {
    return [=](Stage& s) {
      s.expect.attempts = scenario::CountRange{.min = count, .max = count};
      s.failing(waits);
      s.run.client(ClientOutcome::failure, 60s);
    };
  };
  expect_rows("AT-2", {
                          {"all of them", exactly(3, {100ms, 200ms}), Status::pass},
                          {"one short", exactly(4, {100ms, 200ms}), Status::fail, "attempts"},
                          {"the deadline came first",
                           [&](Stage& s) {
                             exactly(4, {100ms, 200ms})(s);
                             s.expect.total_time = scenario::TimeRange{.max = 5s};
                           },
                           Status::not_applicable, "attempts"},
                          {"the server asked for more than it may wait",
                           [&](Stage& s) {
                             exactly(4, {100ms, 200ms})(s);
                             s.run.run().attempts.back().planned.retry_after = {"20"};
                           },
                           Status::not_applicable, "attempts"},
                          {"a success ends it",
                           [&](Stage& s) {
                             s.expect.attempts = scenario::CountRange{.min = 3, .max = 3};
                             s.run.get(0ms).answered(503);
                             s.run.get(1s).answered(503);
                             s.run.get(2s).answered(200);
                           },
                           Status::not_applicable},
                      });
}

TEST(At3, no_attempt_starts_after_the_deadline) {
  const auto deadline = [](Duration wait) {
    return [=](Stage& s) {
      s.expect.total_time = scenario::TimeRange{.max = 10s};
      s.failing({wait});
    };
  };
  expect_rows("AT-3",
              {
                  {"in time", deadline(9s), Status::pass},
                  {"late by what any host may be", deadline(10s), Status::pass},
                  {"after it", deadline(12s), Status::fail, "total_time"},
                  {"the host explains it",
                   [&](Stage& s) {
                     deadline(11s)(s);
                     s.run.lag(5s, 2s);
                   },
                   Status::inconclusive},
                  {"nothing declared", [](Stage& s) { s.failing({100s}); }, Status::not_applicable},
              });
}

TEST(At5, attempts_do_not_overlap) {
  expect_rows("AT-5",
              {
                  {"one after the other", [](Stage& s) { s.failing({100ms}); }, Status::pass},
                  {"the second comes while the first waits",
                   [](Stage& s) {
                     s.run.get(0ms).answered(200, 3s);
                     s.run.get(1s).answered(200, 3s);
                   },
                   Status::fail},
                  {"after a timeout",
                   [](Stage& s) {
                     s.run.get(0ms).left(1s);
                     s.run.get(1200ms);
                   },
                   Status::pass},
                  {"the connection is closed a little later",
                   [](Stage& s) {
                     s.run.get(0ms).left(1020ms);
                     s.run.get(1s);
                   },
                   Status::pass},
                  {"much later",
                   [](Stage& s) {
                     s.run.get(0ms).left(2s);
                     s.run.get(1s);
                   },
                   Status::fail},
                  {"never: nobody knows whether it had given up",
                   [](Stage& s) {
                     s.run.get(0ms).hangs();
                     s.run.get(1s);
                   },
                   Status::inconclusive},
                  {"different requests at one time",
                   [](Stage& s) {
                     s.run.get(0ms, "/a").answered(200, 3s);
                     s.run.get(1s, "/b");
                   },
                   Status::not_applicable},
              });
}

}  // namespace
}  // namespace retrylab::verify
