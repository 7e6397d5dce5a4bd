// SPDX-License-Identifier: MIT
// Everything has a limit, and reaching it is said.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct LimitCase {
  std::string_view name;
  std::string_view limits;
  std::string_view route;
  std::string_view note;
};

class limit : public testing::TestWithParam<LimitCase> {};

TEST_P(limit, is_answered_503_and_noted) {
  ServerUnderTest server(
      fmt::format(R"("limits": {{{}}}, "routes": [ {{"on": "POST /{{id}}", {}}} ])",
                  GetParam().limits, GetParam().route));
  EXPECT_EQ(server.status_of(post("/a", "k1")), 201);
  EXPECT_EQ(server.status_of(post("/b", "k2")), 201);
  EXPECT_EQ(server.status_of(post("/c", "k3")), 503);
  const journal::Attempt attempt = server.attempt(3);
  EXPECT_EQ(attempt.planned.source, journal::Source::capacity);
  EXPECT_EQ(attempt.planned.note, GetParam().note);
  EXPECT_FALSE(attempt.executed);
  EXPECT_THAT(attempt.resource, "");
}

INSTANTIATE_TEST_SUITE_P(
    table, limit,
    testing::Values(LimitCase{"keys", R"("keys": 2)", R"("idempotency": {}, "script": [201])",
                              "the limit on idempotency keys is reached"},
                    LimitCase{"resources", R"("resources": 2)",
                              R"("creates": "payment", "script": [201])",
                              "the limit on resources is reached"},
                    LimitCase{"counts", R"("keys": 2)", R"("count_by": "path:id", "script": [201])",
                              "the limit on counts of count_by is reached"}),
    CaseName());

TEST(limit_of_keys, counts_the_living_ones) {
  ServerUnderTest server(R"("limits": {"keys": 1},
      "routes": [ {"on": "POST /", "idempotency": {"ttl": "10s"}, "script": [201]} ])");
  EXPECT_EQ(server.status_of(post("/", "k1")), 201);
  EXPECT_EQ(server.status_of(post("/", "k2")), 503);
  server.now = Instant(10s);
  EXPECT_EQ(server.status_of(post("/", "k3")), 201);
}

}  // namespace
}  // namespace retrylab::engine
