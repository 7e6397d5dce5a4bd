// SPDX-License-Identifier: MIT
// What `expect` becomes as values.
#include "server/scenario/expect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/scenario/loading.h"

namespace retrylab::scenario {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Expect, a_count_is_exact_or_a_range) {
  const Expect expect = loaded_expect(
      R"({"attempts": 3, "operations": {"min": 1}, "connections": {"max": 2},
          "concurrency": {"min": 1, "max": 4}, "unmatched": 1, "traffic": {"min": 0},
          "created": {"payment": 1}, "routes": {"POST /a": {"max": 2}}})");
  EXPECT_EQ(expect.attempts->min, 3U);
  EXPECT_EQ(expect.attempts->max, 3U);
  EXPECT_EQ(expect.operations->min, 1U);
  EXPECT_EQ(expect.operations->max, std::nullopt);
  EXPECT_EQ(expect.connections->max, 2U);
  EXPECT_EQ(expect.concurrency->max, 4U);
  EXPECT_EQ(expect.unmatched->max, 1U);
  EXPECT_EQ(expect.traffic->min, 0U);
  EXPECT_EQ(expect.created.at("payment").min, 1U);
  EXPECT_EQ(expect.routes.at("POST /a").max, 2U);
}

TEST(Expect, backoff_is_what_the_client_declares) {
  const ExpectBackoff backoff =
      *loaded_expect(
           R"({"backoff": {"base": "250ms", "factor": 1.5, "cap": "8s", "jitter": "full",
                      "first_ceiling": "double"}})")
           .backoff;
  EXPECT_EQ(backoff.base, milliseconds(250));
  EXPECT_EQ(backoff.factor_thousandths, 1'500);
  EXPECT_EQ(backoff.cap, seconds(8));
  EXPECT_EQ(backoff.jitter, Jitter::full);
  EXPECT_TRUE(backoff.first_ceiling_doubled);
  const ExpectBackoff plain = *loaded_expect(R"({"backoff": {}})").backoff;
  EXPECT_EQ(plain.factor_thousandths, 2'000);
  EXPECT_EQ(plain.jitter, Jitter::any);
  EXPECT_FALSE(plain.first_ceiling_doubled);
}

TEST(Expect, retry_after_is_honoured_clamped_or_free) {
  using Kind = ExpectRetryAfter::Kind;
  EXPECT_EQ(loaded_expect("{}").retry_after.kind, Kind::honoured);
  EXPECT_EQ(loaded_expect(R"({"retry_after": "honoured"})").retry_after.kind, Kind::honoured);
  EXPECT_EQ(loaded_expect(R"({"retry_after": "any"})").retry_after.kind, Kind::any);
  const auto clamp =
      loaded_expect(R"({"retry_after": {"clamp": "10s", "late": "1s"}})").retry_after;
  EXPECT_EQ(clamp.kind, Kind::clamp);
  EXPECT_EQ(clamp.clamp, seconds(10));
  EXPECT_EQ(clamp.late, seconds(1));
  EXPECT_EQ(loaded_expect(R"({"retry_after": {"late": "1s"}})").retry_after.kind, Kind::honoured);
}

TEST(Expect, never_retry_adds_and_takes_out_statuses) {
  using testing::ElementsAre;
  EXPECT_THAT(loaded_expect(R"({"never_retry": [500, 409]})").never_retry.statuses,
              ElementsAre(500, 409));
  const auto both = loaded_expect(R"({"never_retry": {"statuses": [500], "except": [410]}})");
  EXPECT_THAT(both.never_retry.statuses, ElementsAre(500));
  EXPECT_THAT(both.never_retry.except, ElementsAre(410));
}

TEST(Expect, the_client_succeeds_fails_or_does_either) {
  using Outcome = ExpectClient::Outcome;
  EXPECT_EQ(loaded_expect("{}").client.outcome, Outcome::succeeds);
  EXPECT_EQ(loaded_expect(R"({"client": "any"})").client.outcome, Outcome::any);
  const ExpectClient client =
      loaded_expect(R"({"client": {"outcome": "fails", "within": "5s"}})").client;
  EXPECT_EQ(client.outcome, Outcome::fails);
  EXPECT_EQ(client.within, seconds(5));
}

TEST(Expect, requests_speak_of_a_header_or_of_the_body) {
  const auto requests =
      loaded_expect(
          R"({"requests": [{"attempt": 2, "route": "POST /a", "header": "X-A", "equals": "1"},
                       {"header": "X-B", "absent": true}, {"header": "X-C", "count": {"max": 1}},
                       {"equals": "the body"}]})")
          .requests;
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_EQ(requests[0].attempt, 2U);
  EXPECT_EQ(requests[0].route, "POST /a");
  EXPECT_EQ(requests[0].header, "X-A");
  EXPECT_EQ(requests[0].equals, "1");
  EXPECT_EQ(requests[1].attempt, 0U);
  EXPECT_TRUE(requests[1].absent);
  EXPECT_EQ(requests[2].count->max, 1U);
  EXPECT_EQ(requests[3].header, "");
}

TEST(Expect, load_in_trouble_is_declared_by_ratios_and_times) {
  const Expect expect = loaded_expect(
      R"({"attempt_timeout": "10s", "hedging_delay": "50ms", "amplification": 1.1,
          "budget": {"ratio": "1/5", "per_second": 10, "window": "20s", "burst": 3},
          "silence": {"after": 7, "for": "1s", "probes": 2}, "herd": {"peak": 3},
          "throttle": {"ratio": 1.5, "window": "10s"}})");
  EXPECT_EQ(expect.attempt_timeout, seconds(10));
  EXPECT_EQ(expect.hedging_delay, milliseconds(50));
  EXPECT_EQ(expect.amplification, (Ratio{1'100, 1'000}));
  EXPECT_EQ(expect.budget->ratio, (Ratio{1, 5}));
  EXPECT_EQ(expect.budget->per_second, 10U);
  EXPECT_EQ(expect.budget->window, seconds(20));
  EXPECT_EQ(expect.budget->burst, 3U);
  EXPECT_EQ(expect.silence->after, 7U);
  EXPECT_EQ(expect.silence->lasts, seconds(1));
  EXPECT_EQ(expect.silence->probes, 2U);
  EXPECT_EQ(expect.throttle->window, seconds(10));
  EXPECT_EQ(expect.herd->peak, (Ratio{3'000, 1'000}));
  EXPECT_FALSE(loaded_expect("{}").budget);
}

TEST(Expect, the_rest_is_read_as_it_stands) {
  const Expect expect = loaded_expect(
      R"({"profile": "core", "total_time": {"min": "1s", "max": "30s"}, "last_status": 201,
          "idempotency_key": {"stable": true, "unique": false}, "rules": {"RA-2": "off"}})");
  EXPECT_EQ(expect.profile, "core");
  EXPECT_EQ(expect.total_time->min, seconds(1));
  EXPECT_EQ(expect.total_time->max, seconds(30));
  EXPECT_EQ(expect.last_status, 201);
  EXPECT_EQ(expect.idempotency_key.stable, true);
  EXPECT_EQ(expect.idempotency_key.unique, false);
  EXPECT_THAT(expect.disabled_rules, testing::ElementsAre("RA-2"));
}

}  // namespace
}  // namespace retrylab::scenario
