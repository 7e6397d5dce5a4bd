// SPDX-License-Identifier: MIT
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAreArray;

struct ScriptCase {
  std::string_view name;
  std::string_view route;     // members after "on"
  std::vector<int> statuses;  // one per request, half a second apart
};

class script : public testing::TestWithParam<ScriptCase> {};

TEST_P(script, gives_each_attempt_its_step) {
  ServerUnderTest server(fmt::format(R"("routes": [ {{"on": "GET /", {}}} ])", GetParam().route));
  std::vector<int> statuses;
  for (std::size_t i = 0; i < GetParam().statuses.size(); ++i) {
    statuses.push_back(server.status_of(get("/")));
    server.now += 500ms;
  }
  EXPECT_THAT(statuses, ElementsAreArray(GetParam().statuses));
}

INSTANTIATE_TEST_SUITE_P(
    table, script,
    testing::Values(
        ScriptCase{"the_last_step_repeats", R"("script": [503, 200])", {503, 200, 200, 200}},
        ScriptCase{
            "cycle", R"("script": [503, 200], "after_script": "cycle")", {503, 200, 503, 200, 503}},
        ScriptCase{"fail", R"("script": [503, 200], "after_script": "fail")", {503, 200, 500, 500}},
        ScriptCase{
            "times", R"("script": [{"status": 503, "times": 3}, 200])", {503, 503, 503, 200, 200}},
        ScriptCase{"times_in_a_cycle",
                   R"("script": [{"status": 503, "times": 2}, 200], "after_script": "cycle")",
                   {503, 503, 200, 503, 503, 200}},
        ScriptCase{"for_lasts_from_its_first_claim",
                   R"("script": [500, {"status": 503, "for": "1s"}, 200])",
                   {500, 503, 503, 200, 200}},
        ScriptCase{"for_ends_exactly_then",
                   R"("script": [{"status": 503, "for": "500ms"}, 200])",
                   {503, 200}},
        ScriptCase{"for_as_the_last_step_repeats",
                   R"("script": [{"status": 503, "for": "500ms"}])",
                   {503, 503, 503}},
        ScriptCase{"until_retry_after",
                   R"("script": [{"status": 429, "retry_after": "2s", "for": "until_retry_after"},
                                 200])",
                   {429, 429, 429, 429, 200, 200}},
        ScriptCase{"until_a_retry_after_that_is_rounded_up",
                   R"("script": [{"status": 429, "retry_after": "1100ms",
                                  "for": "until_retry_after"}, 200])",
                   {429, 429, 429, 429, 200}},
        ScriptCase{"until_retry_after_counts_from_the_answer",
                   R"("script": [{"status": 429, "retry_after": "1s", "delay": "500ms",
                                  "for": "until_retry_after"}, 200])",
                   {429, 429, 429, 200}}),
    CaseName());

TEST(script_claims, interleaved_clients_get_each_step_exactly_once) {
  constexpr int kSteps = 1'000;
  constexpr int kClients = 60;
  std::string steps;
  for (int i = 0; i < kSteps; ++i) {
    steps +=
        fmt::format(R"({}{{"status": 503, "headers": {{"X-Step": "{}"}}}})", i == 0 ? "" : ", ", i);
  }
  ServerUnderTest server(fmt::format(
      R"("routes": [ {{"on": "POST /", "script": [{}], "after_script": "fail"}} ])", steps));
  // Every client has its head read before any body is complete.
  std::multiset<std::string> seen;
  for (int sent = 0; sent < kSteps;) {
    std::vector<AttemptId> open;
    for (int client = 0; client < kClients && sent < kSteps; ++client, ++sent) {
      open.push_back(server.head(post("/")).attempt);
    }
    for (auto id = open.rbegin(); id != open.rend(); ++id) {
      const wire::Plan plan = server.body(*id, "{}");
      const std::string bytes = bytes_of(plan);
      const auto at = bytes.find("X-Step: ");
      ASSERT_NE(at, std::string::npos);
      seen.insert(bytes.substr(at, bytes.find('\r', at) - at));
      server.deliver({*id, {}, plan});
    }
  }
  EXPECT_EQ(seen.size(), kSteps);
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), kSteps);
  EXPECT_EQ(server.engine().steps_unused(), 0);
}

struct CountCase {
  std::string_view name;
  std::string_view count_by;
  std::vector<SimpleRequest> requests;
  std::vector<int> statuses;
};

SimpleRequest with(SimpleRequest request, std::string name, std::string value) {
  request.headers.push_back({std::move(name), std::move(value)});
  return request;
}

SimpleRequest on_connection(SimpleRequest request, ConnectionId connection) {
  request.connection = connection;
  return request;
}

class count_by : public testing::TestWithParam<CountCase> {};

TEST_P(count_by, tells_counts_apart) {
  ServerUnderTest server(fmt::format(
      R"("routes": [ {{"on": "POST /{{id}}", "count_by": "{}", "script": [503, 200]}} ])",
      GetParam().count_by));
  std::vector<int> statuses;
  for (const SimpleRequest& request : GetParam().requests) {
    statuses.push_back(server.status_of(request));
  }
  EXPECT_THAT(statuses, ElementsAreArray(GetParam().statuses));
}

INSTANTIATE_TEST_SUITE_P(
    table, count_by,
    testing::Values(
        CountCase{"route", "route", {post("/a"), post("/b"), post("/a")}, {503, 200, 200}},
        CountCase{"path", "path:id", {post("/a"), post("/b"), post("/a")}, {503, 503, 200}},
        CountCase{"header",
                  "header:X-Id",
                  {with(post("/a"), "X-Id", "1"), with(post("/a"), "x-id", "2"),
                   with(post("/a"), "X-Id", "1"), post("/a"), post("/a")},
                  {503, 503, 200, 503, 200}},
        CountCase{"connection",
                  "connection",
                  {on_connection(post("/a"), 1), on_connection(post("/a"), 2),
                   on_connection(post("/a"), 1)},
                  {503, 503, 200}},
        CountCase{"client",
                  "client",
                  {on_connection(post("/a"), 1), on_connection(post("/a"), 2)},
                  {503, 200}},
        CountCase{"operation_by_body_hash",
                  "operation",
                  {post("/a", "", "1"), post("/a", "", "2"), post("/a", "", "1")},
                  {503, 503, 200}},
        CountCase{"operation_by_invocation_header",
                  "operation",
                  {with(post("/a", "", "1"), "amz-sdk-invocation-id", "x"),
                   with(post("/a", "", "2"), "amz-sdk-invocation-id", "x")},
                  {503, 200}}),
    CaseName());

}  // namespace
}  // namespace retrylab::engine
