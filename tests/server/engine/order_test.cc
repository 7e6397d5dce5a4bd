// SPDX-License-Identifier: MIT
// The order of DESIGN.md section 4: who answers when several could.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using journal::Source;

// Everything at once: an outage from 10 to 20 s, an override for X-O, a store, a script.
constexpr std::string_view kAll = R"(
  "outages": [ {"from": "10s", "until": "20s"} ],
  "routes": [
    {"on": "POST /", "idempotency": {"required": true}, "script": [201, 202, 203],
     "overrides": [ {"when": {"headers": {"X-O": "1"}}, "status": 418} ]},
    {"on": "* /", "script": [599]} ])";

struct OrderCase {
  std::string_view name;
  SimpleRequest request;
  Duration at{0};
  int status = 0;
  Source source = Source::script;
};

SimpleRequest overridden(SimpleRequest request) {
  request.headers.push_back({"X-O", "1"});
  return request;
}

class order : public testing::TestWithParam<OrderCase> {};

TEST_P(order, the_first_that_applies_answers) {
  ServerUnderTest server(kAll);
  EXPECT_EQ(server.status_of(post("/", "used")), 201);
  server.now = Instant(GetParam().at);
  EXPECT_EQ(server.status_of(GetParam().request), GetParam().status);
  EXPECT_EQ(server.attempt(2).planned.source, GetParam().source);
  server.now = Instant(30s);
  const int next = GetParam().source == Source::script ? 203 : 202;
  EXPECT_EQ(server.status_of(post("/", "fresh")), next) << "only the script consumes a step";
}

INSTANTIATE_TEST_SUITE_P(
    table, order,
    testing::Values(
        OrderCase{"the_outage_before_the_override", overridden(post("/", "new")), 10s, 503,
                  Source::outage},
        OrderCase{"the_outage_before_the_key", post("/"), 10s, 503, Source::outage},
        OrderCase{"no_route_before_the_outage", post("/nowhere"), 10s, 404, Source::unmatched},
        OrderCase{"the_override_before_the_missing_key", overridden(post("/")), 1s, 418,
                  Source::override_step},
        OrderCase{"the_override_before_the_replay", overridden(post("/", "used")), 1s, 418,
                  Source::override_step},
        OrderCase{"the_missing_key_before_the_script", post("/"), 1s, 400, Source::key_missing},
        OrderCase{"the_reused_key_before_the_script", post("/", "used", "other"), 1s, 422,
                  Source::key_reused},
        OrderCase{"the_replay_before_the_script", post("/", "used"), 1s, 201, Source::replay},
        OrderCase{"the_script_of_the_first_route", post("/", "new"), 1s, 202, Source::script},
        OrderCase{"the_script_when_the_outage_is_over", post("/", "new"), 20s, 202,
                  Source::script}),
    CaseName());

TEST(order_at_the_head, a_step_is_claimed_before_the_body_is_read) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [201, 202]} ])");
  const Answer first = server.head(post("/"));
  const Answer second = server.head(post("/"));
  EXPECT_THAT(bytes_of(server.body(second.attempt, "{}")), testing::HasSubstr(" 202 "));
  EXPECT_THAT(bytes_of(server.body(first.attempt, "{}")), testing::HasSubstr(" 201 "));
}

TEST(order_at_the_head, a_route_that_looks_at_the_body_is_decided_when_it_is_there) {
  ServerUnderTest server(R"("routes": [
      {"on": {"method": "POST", "path": "/", "body": {"/kind": "a"}}, "script": [201]},
      {"on": "POST /", "script": [202]} ])");
  const Answer first = server.head(post("/"));
  const Answer second = server.head(post("/"));
  EXPECT_THAT(bytes_of(server.body(second.attempt, R"({"kind": "a"})")),
              testing::HasSubstr(" 201 "));
  EXPECT_THAT(bytes_of(server.body(first.attempt, R"({"kind": "b"})")),
              testing::HasSubstr(" 202 "));
}

}  // namespace
}  // namespace retrylab::engine
