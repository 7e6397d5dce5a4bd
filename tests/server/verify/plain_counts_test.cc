// SPDX-License-Identifier: MIT
// Expectations that count: attempts, operations, resources, connections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using scenario::CountRange;
using ::testing::HasSubstr;

TEST(Attempts, are_counted_per_operation) {
  const auto three = [](const std::vector<Duration>& waits) {
    return [=](Stage& s) {
      s.expect.attempts = CountRange{.min = 3};
      s.failing(waits);
      s.run.client(ClientOutcome::failure, 60s);
    };
  };
  expect_plain("attempts",
               {
                   {"enough", three({100ms, 200ms}), Status::pass},
                   {"too few", three({100ms}), Status::fail},
                   {"a full-jittered retry that came at once, on a reused connection",
                    [](Stage& s) {
                      s.expect.attempts = CountRange{.min = 3, .max = 5};
                      s.run.get(0ms).connection(1).answered(503);
                      s.run.get(200ms).connection(1, 2).reset();
                      s.run.get(206ms).connection(2);
                    },
                    Status::pass},
                   {"too few, but some were dropped",
                    [&](Stage& s) {
                      three({100ms})(s);
                      s.run.dropped(1);
                    },
                    Status::inconclusive},
                   {"too few, but the client may still wait",
                    [](Stage& s) {
                      s.expect.attempts = CountRange{.min = 3};
                      s.failing({100ms});
                      s.run.ended(1s);
                    },
                    Status::inconclusive},
                   {"a planned fault did not happen",
                    [&](Stage& s) {
                      three({100ms, 200ms})(s);
                      AttemptBuilder(s.run.run(), 0).undelivered("reset at response_end");
                    },
                    Status::inconclusive},
                   {"not declared", [](Stage& s) { s.failing({100ms}); }, Status::not_applicable},
               });
}

TEST(Operations, are_counted_per_run) {
  const auto two = [](Stage& s) {
    s.run.served();
    s.expect.operations = CountRange{.min = 2, .max = 2};
  };
  expect_plain("operations", {
                                 {"two",
                                  [&](Stage& s) {
                                    two(s);
                                    s.run.get(0ms, "/a");
                                    s.run.get(0ms, "/b");
                                  },
                                  Status::pass},
                                 {"one",
                                  [&](Stage& s) {
                                    two(s);
                                    s.run.get(0ms, "/a");
                                  },
                                  Status::fail},
                                 {"a process may make several where that is said",
                                  [](Stage& s) {
                                    s.expect.operations = CountRange{.min = 2};
                                    s.run.get(0ms, "/a");
                                    s.run.get(0ms, "/b");
                                  },
                                  Status::pass},
                             });
}

TEST(Created, is_counted_per_operation_and_run) {
  const auto one = [](Stage& s) { s.expect.created["payment"] = CountRange{.min = 1, .max = 1}; };
  expect_plain("created", {
                              {"one",
                               [&](Stage& s) {
                                 one(s);
                                 s.run.post(0ms).created("payment").answered(201);
                               },
                               Status::pass},
                              {"none",
                               [&](Stage& s) {
                                 one(s);
                                 s.run.post(0ms).answered(400);
                               },
                               Status::fail},
                              {"two",
                               [&](Stage& s) {
                                 one(s);
                                 s.run.post(0ms).created("payment").answered(500);
                                 s.run.post(1s).created("payment").answered(201);
                               },
                               Status::fail},
                              {"one in each of two operations",
                               [&](Stage& s) {
                                 one(s);
                                 s.run.served();
                                 s.run.post(0ms, "/a").created("payment").answered(201);
                                 s.run.post(1s, "/b").created("payment").answered(201);
                               },
                               Status::pass},
                              {"two in one of two operations",
                               [&](Stage& s) {
                                 one(s);
                                 s.run.served();
                                 s.run.post(0ms, "/a").created("payment").answered(500);
                                 s.run.post(1s, "/a").created("payment").answered(201);
                                 s.run.post(1s, "/b").answered(400);
                               },
                               Status::fail},
                              {"another kind does not count",
                               [&](Stage& s) {
                                 one(s);
                                 s.run.post(0ms).created("refund").answered(201);
                               },
                               Status::fail},
                              {"who made it was dropped from the journal",
                               [&](Stage& s) {
                                 one(s);
                                 s.run.post(0ms).created("payment").answered(201);
                                 s.run.run().attempts.erase(s.run.run().attempts.begin());
                                 s.run.post(1s).answered(201);
                                 s.run.dropped(1);
                               },
                               Status::inconclusive},
                              {"the answer that was to be lost was not",
                               [&](Stage& s) {
                                 one(s);
                                 s.run.post(0ms).created("payment").left(1s).undelivered(
                                     "reset at response_start");
                               },
                               Status::inconclusive},
                          });
}

TEST(Created, names_the_attempts_that_made_them) {
  Stage stage;
  stage.expect.created["payment"] = CountRange{.min = 1, .max = 1};
  stage.run.post(0ms).answered(503);
  stage.run.post(1s).created("payment").answered(500);
  stage.run.post(2s).answered(503);
  stage.run.post(3s).created("payment").answered(500);
  stage.run.post(4s).answered(503);
  const std::vector<AttemptRef> makers{{1, 2}, {1, 4}};
  EXPECT_EQ(result_of(stage.judge(), "created").attempts, makers);
}

TEST(Routes, are_counted) {
  const auto poll = [](int count) {
    return [=](Stage& s) {
      s.expect.routes["GET /poll"] = CountRange{.max = 2};
      s.run.post(0ms, "/start").answered(202);
      for (int i = 0; i < count; ++i) s.run.get(1s * (i + 1), "/poll").answered(202);
    };
  };
  expect_plain("routes", {{"few", poll(2), Status::pass}, {"many", poll(3), Status::fail}});
}

TEST(Connections, are_counted_even_when_dropped) {
  const auto two = [](int count) {
    return [=](Stage& s) {
      s.expect.connections = CountRange{.max = 2};
      for (int i = 0; i < count; ++i) s.run.get(1s * i, "/" + std::to_string(i));
    };
  };
  expect_plain("connections", {{"two", two(2), Status::pass}, {"three", two(3), Status::fail}});
}

TEST(Concurrency, is_the_peak) {
  const auto overlapping = [](Duration second) {
    return [=](Stage& s) {
      s.expect.concurrency = CountRange{.max = 1};
      s.run.get(0ms, "/a").answered(200, 1s);
      s.run.get(second, "/b").answered(200, 1s);
    };
  };
  expect_plain("concurrency", {
                                  {"in turn", overlapping(1s), Status::pass},
                                  {"at once", overlapping(500ms), Status::fail},
                              });
}

TEST(Unmatched, none_by_default_and_says_why) {
  const auto missed = [](Stage& s) {
    s.run.get(0ms);
    AttemptBuilder attempt = s.run.post(1s, "/v1/payment").answered(404);
    attempt.source(journal::Source::unmatched);
    attempt.attempt().planned.near_misses = {"POST /v1/payments: the path differs at \"payment\""};
  };
  expect_plain("unmatched", {
                                {"none", [](Stage& s) { s.run.get(0ms); }, Status::pass},
                                {"one", missed, Status::fail},
                                {"one is allowed",
                                 [&](Stage& s) {
                                   missed(s);
                                   s.expect.unmatched = CountRange{.max = 1};
                                 },
                                 Status::pass},
                            });
  Stage stage;
  missed(stage);
  EXPECT_THAT(result_of(stage.judge(), "unmatched").observed,
              HasSubstr("POST /v1/payment (POST /v1/payments: the path differs"));
}

TEST(Traffic, none_asks_for_the_url) {
  Stage stage;
  stage.run.client(ClientOutcome::success, 1s);
  const RuleResult result = result_of(stage.judge(), "traffic");
  EXPECT_EQ(result.status, Status::fail);
  EXPECT_EQ(result.advice, "Did it read RETRYLAB_URL?");
  EXPECT_EQ(stage.judge().status, Status::fail);
}

TEST(Traffic, a_fault_of_a_connection_that_did_not_take_place_is_inconclusive) {
  Stage stage;
  stage.run.get(0ms);
  stage.run.run().connections.push_back({.id = 7, .run = 1});
  EXPECT_EQ(result_of(stage.judge(), "traffic").status, Status::pass);
  stage.run.run().connections.back().faults_delivered = false;
  EXPECT_EQ(result_of(stage.judge(), "traffic").status, Status::inconclusive);
}

TEST(Traffic, a_connection_without_a_request_is_no_traffic) {
  Stage stage;
  stage.run.run().connections.push_back({.id = 1});
  const RuleResult result = result_of(stage.judge(), "traffic");
  EXPECT_EQ(result.status, Status::fail);
  EXPECT_THAT(result.observed, HasSubstr("on 1 connection"));
}

}  // namespace
}  // namespace retrylab::verify
