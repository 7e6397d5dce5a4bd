// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client_lib/base/sha256.h"
#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using scenario::CountRange;
using ::testing::HasSubstr;

// Rows of plain expectations: other rules may not fail, evidence may be empty.
void expect_plain(const std::string& id, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    Stage stage;
    row.tell(stage);
    const Verdict verdict = stage.judge();
    const RuleResult result = result_of(verdict, id);
    EXPECT_EQ(word(result.status), word(row.status))
        << id << ": " << row.story << "\n  observed: " << result.observed;
    std::string failed = row.also;
    if (row.status == Status::fail) failed += (failed.empty() ? "" : " ") + id;
    EXPECT_EQ(ids_with(verdict, Status::fail), failed) << id << ": " << row.story;
    EXPECT_FALSE(result.observed.empty()) << id << ": " << row.story;
    EXPECT_TRUE(result.source.empty());
  }
}

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

TEST(TotalTime, is_measured_to_the_end_of_the_last_answer) {
  const auto took = [](Duration last_answer) {
    return [=](Stage& s) {
      s.expect.total_time = scenario::TimeRange{.min = 2s, .max = 5s};
      s.run.get(0ms).answered(503);
      s.run.get(1s).answered(200, last_answer);
    };
  };
  expect_plain("total_time", {
                                 {"within", took(2s), Status::pass},
                                 {"too short", took(100ms), Status::fail},
                                 {"too long", took(5s), Status::fail},
                                 {"the host explains it",
                                  [&](Stage& s) {
                                    took(5s)(s);
                                    s.run.lag(3s, 2s);
                                  },
                                  Status::inconclusive},
                             });
}

TEST(LastStatus, is_the_last_answers) {
  const auto last = [](int status) {
    return [=](Stage& s) {
      s.expect.last_status = 200;
      s.run.get(0ms).answered(503);
      s.run.get(1s).answered(status);
    };
  };
  expect_plain("last_status", {
                                  {"right", last(200), Status::pass},
                                  {"wrong", last(503), Status::fail},
                                  {"none",
                                   [](Stage& s) {
                                     s.expect.last_status = 200;
                                     s.run.get(0ms).reset();
                                   },
                                   Status::fail},
                              });
}

TEST(RetryAfter, late_is_an_upper_bound) {
  const auto late = [](Duration wait) {
    return [=](Stage& s) {
      s.expect.retry_after.late = 500ms;
      s.run.get(0ms).answered(503).retry_after("2");
      s.run.get(1ms + wait);
    };
  };
  expect_plain("retry_after", {
                                  {"in time", late(2400ms), Status::pass},
                                  {"too late", late(2600ms), Status::fail},
                                  {"too early", late(1s), Status::fail, "RA-1"},
                                  {"the host explains it",
                                   [&](Stage& s) {
                                     late(2600ms)(s);
                                     s.run.lag(1s, 300ms);
                                   },
                                   Status::inconclusive},
                              });
}

TEST(NeverRetry, adds_statuses) {
  const auto never_500 = [](bool retried) {
    return [=](Stage& s) {
      s.expect.never_retry.statuses = {500};
      s.run.get(0ms).answered(500);
      if (retried) s.run.get(1s);
    };
  };
  expect_plain("never_retry", {
                                  {"not retried", never_500(false), Status::pass},
                                  {"retried", never_500(true), Status::fail},
                              });
}

TEST(IdempotencyKey, stable_wants_one_on_every_attempt) {
  const auto keys = [](const std::string& first, const std::string& second) {
    return [=](Stage& s) {
      s.expect.idempotency_key.stable = true;
      for (const auto& [at, key] : {std::pair(0s, first), std::pair(1s, second)}) {
        AttemptBuilder attempt = s.run.post(at).answered(500);
        attempt.attempt().route_has_store = true;
        if (!key.empty()) attempt.key(key);
      }
    };
  };
  const std::string key = "8e03978e-40d5-43e8-bc93-6894a57f9324";
  expect_plain("idempotency_key", {
                                      {"the same", keys(key, key), Status::pass},
                                      {"none at all", keys("", ""), Status::fail},
                                      {"another", keys(key, key + "0"), Status::fail, "ID-3"},
                                  });
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

TEST(Requests, say_what_the_k_th_attempt_carries) {
  const auto with = [](scenario::ExpectRequest expect) {
    return [=](Stage& s) {
      s.expect.requests = {expect};
      s.run.post(0ms).body("one").header("X-Try", "1").answered(500);
      s.run.post(1s).body("one").header("X-Try", "2").header("Range", "a").header("Range", "b");
    };
  };
  expect_plain(
      "requests",
      {
          {"equals", with({.attempt = 2, .header = "x-try", .equals = "2"}), Status::pass},
          {"does not equal", with({.attempt = 1, .header = "X-Try", .equals = "2"}), Status::fail},
          {"absent", with({.attempt = 1, .header = "Range", .absent = true}), Status::pass},
          {"present", with({.attempt = 2, .header = "Range", .absent = true}), Status::fail},
          {"counts",
           with({.attempt = 2, .header = "Range", .count = CountRange{.min = 2, .max = 2}}),
           Status::pass},
          {"piled up", with({.attempt = 2, .header = "Range", .count = CountRange{.max = 1}}),
           Status::fail},
          {"every body", with({.attempt = 0, .equals = "one"}), Status::pass},
          {"another body", with({.attempt = 0, .equals = "two"}), Status::fail},
          {"another route", with({.attempt = 0, .route = "GET /x", .header = "A", .equals = "b"}),
           Status::not_applicable},
      });
}

TEST(Client, ends_as_expected) {
  using Wanted = scenario::ExpectClient::Outcome;
  const auto client = [](Wanted wanted, ClientOutcome outcome) {
    return [=](Stage& s) {
      s.expect.client.outcome = wanted;
      s.run.get(0ms);
      s.run.client(outcome, 1s);
    };
  };
  expect_plain(
      "client",
      {
          {"succeeds", client(Wanted::succeeds, ClientOutcome::success), Status::pass},
          {"should succeed", client(Wanted::succeeds, ClientOutcome::failure), Status::fail},
          {"fails", client(Wanted::fails, ClientOutcome::failure), Status::pass},
          {"should fail", client(Wanted::fails, ClientOutcome::success), Status::fail},
          {"hanging is not failing", client(Wanted::fails, ClientOutcome::hung), Status::fail},
          {"crashing is not failing", client(Wanted::fails, ClientOutcome::signalled),
           Status::fail},
          {"any end is fine", client(Wanted::any, ClientOutcome::hung), Status::not_applicable},
          {"no client was started",
           [](Stage& s) {
             s.expect.client.outcome = Wanted::succeeds;
             s.run.get(0ms);
           },
           Status::not_applicable},
          {"ends soon",
           [&](Stage& s) {
             client(Wanted::succeeds, ClientOutcome::success)(s);
             s.expect.client.within = 1s;
           },
           Status::pass},
          {"ends late",
           [&](Stage& s) {
             client(Wanted::succeeds, ClientOutcome::success)(s);
             s.expect.client.within = 500ms;
           },
           Status::fail},
          {"read another body",
           [&](Stage& s) {
             client(Wanted::succeeds, ClientOutcome::success)(s);
             s.expect.client.body_sha256 = to_hex(sha256("a"));
             s.run.run().clients.front().body_sha256 = to_hex(sha256("b"));
           },
           Status::fail},
          {"succeeded, but the planned fault did not happen",
           [&](Stage& s) {
             client(Wanted::succeeds, ClientOutcome::success)(s);
             AttemptBuilder(s.run.run(), 0).undelivered("reset at body_byte 5");
           },
           Status::inconclusive},
      });
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
