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
          {"interrupting it proves nothing", client(Wanted::succeeds, ClientOutcome::interrupted),
           Status::inconclusive},
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

}  // namespace
}  // namespace retrylab::verify
