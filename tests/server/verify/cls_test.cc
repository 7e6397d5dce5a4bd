// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;

TEST(Cls1, passing_troubles_are_retried) {
  expect_rows("CLS-1",
              {
                  {"a 503 is retried",
                   [](Stage& s) {
                     s.run.get(0ms).answered(503);
                     s.run.get(200ms);
                     s.run.client(ClientOutcome::success, 300ms);
                   },
                   Status::pass},
                  {"a 503 is the last word",
                   [](Stage& s) {
                     s.run.get(0ms).answered(503);
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::fail},
                  {"a reset is the last word",
                   [](Stage& s) {
                     s.run.get(0ms).reset();
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::fail},
                  {"a 429 is retried, a 502 is not",
                   [](Stage& s) {
                     s.expect.attempts = scenario::CountRange{.max = 5};
                     s.run.get(0ms).answered(429);
                     s.run.get(200ms).answered(502);
                     s.run.client(ClientOutcome::failure, 300ms);
                   },
                   Status::fail},
                  {"it gives up after its attempts",
                   [](Stage& s) {
                     s.failing({100ms, 200ms});
                     s.run.client(ClientOutcome::failure, 400ms);
                   },
                   Status::pass},
                  {"a 500 need not be retried",
                   [](Stage& s) {
                     s.run.get(0ms).answered(500);
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::not_applicable},
                  {"a truncated answer and a timeout need not be retried",
                   [](Stage& s) {
                     s.run.get(0ms).truncated(200);
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::not_applicable},
                  {"a POST without a key is not retried",
                   [](Stage& s) {
                     s.run.post(0ms).answered(503);
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::not_applicable},
                  {"a POST with a key is",
                   [](Stage& s) {
                     s.run.post(0ms).key("8e03978e-40d5-43e8-bc93-6894a57f9324").answered(503);
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::fail},
                  {"the server said not to",
                   [](Stage& s) {
                     s.run.get(0ms).answered(503).attempt().planned.should_retry_false = true;
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::not_applicable},
                  {"giving up is right beyond the declared cap",
                   [](Stage& s) {
                     s.backoff(250ms, 2s, scenario::Jitter::full);
                     s.run.get(0ms).answered(503).retry_after("3");
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::not_applicable},
                  {"giving up is right beyond the deadline",
                   [](Stage& s) {
                     s.expect.total_time = scenario::TimeRange{.max = 2s};
                     s.run.get(0ms).answered(503).retry_after("3");
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::not_applicable},
                  {"giving up a short Retry-After is not",
                   [](Stage& s) {
                     s.run.get(0ms).answered(503).retry_after("3");
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::fail},
                  {"nobody knows whether the client still waits",
                   [](Stage& s) { s.run.get(0ms).answered(503); }, Status::inconclusive},
                  {"the client was stopped at once",
                   [](Stage& s) {
                     s.run.get(0ms).answered(503);
                     s.run.client(ClientOutcome::hung, 100ms);
                   },
                   Status::inconclusive},
                  {"the client was stopped after ample time",
                   [](Stage& s) {
                     s.run.get(0ms).answered(503);
                     s.run.client(ClientOutcome::hung, 70s);
                   },
                   Status::fail},
                  {"the reset that was planned did not take place",
                   [](Stage& s) {
                     s.run.get(0ms).answered(503).undelivered("reset at response_end");
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::inconclusive},
              });
}

TEST(Cls2, what_was_refused_for_good_is_not_repeated) {
  for (const int status : {400, 401, 403, 404, 405, 406, 410, 411, 412, 413,
                           414, 415, 416, 422, 426, 428, 431, 451, 501, 505}) {
    expect_rows("CLS-2", {{"repeats " + std::to_string(status),
                           [status](Stage& s) {
                             s.run.get(0ms).answered(status);
                             s.run.get(200ms);
                           },
                           Status::fail}});
  }
  expect_rows("CLS-2", {
                           {"a 400 is final",
                            [](Stage& s) {
                              s.run.get(0ms).answered(400);
                              s.run.client(ClientOutcome::failure, 10ms);
                            },
                            Status::pass},
                           {"the 401 is answered with credentials",
                            [](Stage& s) {
                              s.run.get(0ms).answered(401);
                              s.run.get(5ms).header("Authorization", "Bearer x");
                            },
                            Status::pass},
                           {"the same credentials again",
                            [](Stage& s) {
                              s.run.get(0ms).header("Authorization", "Bearer x").answered(401);
                              s.run.get(5ms).header("Authorization", "Bearer x");
                            },
                            Status::fail},
                           {"another request after a 404",
                            [](Stage& s) {
                              s.run.get(0ms, "/a").answered(404);
                              s.run.get(5ms, "/b");
                            },
                            Status::pass},
                           {"a corrected body after a 422",
                            [](Stage& s) {
                              s.run.post(0ms).answered(422);
                              s.run.post(5ms).body("{1}");
                            },
                            Status::pass},
                           {"413 with Retry-After may be repeated",
                            [](Stage& s) {
                              s.run.get(0ms).answered(413).retry_after("1");
                              s.run.get(1100ms);
                            },
                            Status::not_applicable},
                           {"the scenario takes 404 out",
                            [](Stage& s) {
                              s.expect.never_retry.except = {404};
                              s.run.get(0ms).answered(404);
                              s.run.get(200ms);
                            },
                            Status::not_applicable},
                           {"the client left before it could be answered otherwise",
                            [](Stage& s) {
                              s.run.get(0ms).answered(400).undelivered("reset at response_end");
                              s.run.client(ClientOutcome::failure, 10ms);
                            },
                            Status::inconclusive},
                       });
}

TEST(Cls3, success_is_not_repeated) {
  expect_rows("CLS-3", {
                           {"once is enough",
                            [](Stage& s) {
                              s.run.get(0ms);
                              s.run.client(ClientOutcome::success, 10ms);
                            },
                            Status::pass},
                           {"sends it again",
                            [](Stage& s) {
                              s.run.get(0ms);
                              s.run.get(200ms);
                            },
                            Status::fail},
                           {"a 201 is a success",
                            [](Stage& s) {
                              s.run.post(0ms).answered(201);
                              s.run.post(200ms).answered(201);
                            },
                            Status::fail},
                           {"a 202 is polled",
                            [](Stage& s) {
                              s.run.get(0ms).answered(202);
                              s.run.get(200ms).answered(200);
                            },
                            Status::pass},
                           {"a 200 that asks to come again is polled",
                            [](Stage& s) {
                              s.run.get(0ms).retry_after("1");
                              s.run.get(1100ms);
                            },
                            Status::pass},
                           {"a truncated 200 is no success",
                            [](Stage& s) {
                              s.run.get(0ms).truncated(200);
                              s.run.get(200ms);
                            },
                            Status::pass},
                           {"another body is another request",
                            [](Stage& s) {
                              s.run.post(0ms).answered(201);
                              s.run.post(200ms).body("{1}").answered(201);
                            },
                            Status::pass},
                           {"both may have crossed on the wire",
                            [](Stage& s) {
                              s.run.get(0ms).answered(200, 10ms);
                              s.run.get(12ms);
                            },
                            Status::inconclusive},
                           {"on the same connection they cannot",
                            [](Stage& s) {
                              s.run.get(0ms).connection(1).answered(200, 10ms);
                              s.run.get(12ms).connection(1, 2);
                            },
                            Status::fail},
                       });
}

}  // namespace
}  // namespace retrylab::verify
