// SPDX-License-Identifier: MIT
// Which route a request gets, and what it is told when there is none.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

// The status says which route answered.
constexpr std::string_view kRoutes = R"("routes": [
  {"on": "GET /a", "script": [201]},
  {"on": "GET /a/{id}", "script": [202]},
  {"on": {"method": "GET", "path": "/t/{id}", "query": {"first": "1"}}, "script": [203]},
  {"on": "GET /t/b", "script": [213]},
  {"on": "GET /files/{rest...}", "script": [204]},
  {"on": "* /any", "script": [205]},
  {"on": "GET /", "script": [206]},
  {"on": "GET /slash/", "script": [207]},
  {"on": {"method": "GET", "path": "/q", "query": {"page": "2 x"}}, "script": [208]},
  {"on": {"method": "GET", "path": "/q", "headers": {"X-A": "1"}}, "script": [209]},
  {"on": {"method": "GET", "path": "/q", "headers": {"X-A": {"present": false}}},
   "script": [210]},
  {"on": {"method": "POST", "path": "/body", "body": {"/n/0/k": 1, "/s": "x"}}, "script": [211]},
  {"on": "POST /body", "script": [212]} ])";

struct MatchCase {
  std::string_view name;
  SimpleRequest request;
  int status = 0;
};

SimpleRequest with_a(SimpleRequest request, std::string value) {
  request.headers.push_back({"x-a", std::move(value)});
  return request;
}

SimpleRequest by(std::string method, std::string target) {
  SimpleRequest request = get(std::move(target));
  request.method = std::move(method);
  return request;
}

class match : public testing::TestWithParam<MatchCase> {};

TEST_P(match, is_the_first_in_the_file) {
  ServerUnderTest server(kRoutes);
  EXPECT_EQ(server.status_of(GetParam().request), GetParam().status);
}

INSTANTIATE_TEST_SUITE_P(
    table, match,
    testing::Values(
        MatchCase{"exact", get("/a"), 201}, MatchCase{"parameter", get("/a/x"), 202},
        MatchCase{"an_earlier_template_before_a_later_exact_path", get("/t/b?first=1"), 203},
        MatchCase{"a_later_exact_path_where_the_template_does_not_hold", get("/t/b"), 213},
        MatchCase{"a_parameter_is_not_empty", get("/a/"), 404},
        MatchCase{"a_parameter_is_one_segment", get("/a/b/c"), 404},
        MatchCase{"rest", get("/files/x/y/z"), 204},
        MatchCase{"rest_may_be_empty", get("/files/"), 204},
        MatchCase{"rest_begins_after_the_slash", get("/files"), 404},
        MatchCase{"any_method", by("BREW", "/any"), 205}, MatchCase{"root", get("/"), 206},
        MatchCase{"trailing_slash", get("/slash/"), 207},
        MatchCase{"no_trailing_slash", get("/slash"), 404},
        MatchCase{"a_query_does_not_matter", get("/a?x=/b"), 201},
        MatchCase{"absolute_form", get("http://host:1/a?x"), 201},
        MatchCase{"absolute_form_without_path", get("http://host"), 206},
        MatchCase{"another_method", by("DELETE", "/a"), 404},
        MatchCase{"methods_are_case_sensitive", by("get", "/a"), 404},
        MatchCase{"query_value_is_decoded", get("/q?x=1&page=2%20x"), 208},
        MatchCase{"header", with_a(get("/q"), "1"), 209},
        MatchCase{"absent_header", get("/q"), 210},
        MatchCase{"another_header_value", with_a(get("/q"), "2"), 404},
        MatchCase{"body_members", post("/body", "", R"({"n": [{"k": 1.0}], "s": "x"})"), 211},
        MatchCase{"another_body", post("/body", "", R"({"n": [{"k": 2}], "s": "x"})"), 212},
        MatchCase{"a_body_that_is_not_json", post("/body", "", "n=1"), 212}),
    CaseName());

struct MissCase {
  std::string_view name;
  SimpleRequest request;
  std::string_view why;
};

class near_miss : public testing::TestWithParam<MissCase> {};

TEST_P(near_miss, says_why_the_nearest_route_missed) {
  ServerUnderTest server(kRoutes);
  const auto exchange = server.send(GetParam().request);
  server.deliver(exchange);
  const journal::Planned planned = server.attempt(1).planned;
  EXPECT_EQ(planned.source, journal::Source::unmatched);
  EXPECT_EQ(planned.near_misses.front(), GetParam().why);
  EXPECT_LE(planned.near_misses.size(), 5);
  EXPECT_THAT(exchange.bytes(), HasSubstr("near_misses"));
}

INSTANTIATE_TEST_SUITE_P(
    table, near_miss,
    testing::Values(MissCase{"method", by("DELETE", "/slash/"),
                             "GET /slash/: the method is DELETE"},
                    MissCase{"one_segment", get("/b"), "GET /a: the path is /b"},
                    MissCase{"trailing_slash", get("/slash"), "GET /a: the path is /slash"},
                    MissCase{"header", with_a(get("/q"), "2"),
                             "GET /q [query page = 2 x]: query page is missing"}),
    CaseName());

TEST(unmatched, consumes_nothing_and_is_told_in_a_body_of_json) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /pay", "script": [201, 202]} ])");
  const auto exchange = server.send(get("/pay"));
  EXPECT_THAT(exchange.bytes(),
              testing::EndsWith(R"({"title":"no route of the scenario matches","status":404,)"
                                R"("detail":"GET /pay",)"
                                R"("near_misses":["POST /pay: the method is GET"]})"));
  EXPECT_EQ(server.status_of(post("/pay")), 201);
}

TEST(operation, is_taken_from_where_the_scenario_says) {
  const std::vector<std::pair<std::string_view, std::string_view>> table{
      {R"({"header": "X-Op"})", "h"},
      {R"({"path": "id"})", "p"},
      {R"({"query": "op"})", "q"},
      {R"({"body": "/op"})", "b"}};
  for (const auto& [where, value] : table) {
    ServerUnderTest server(fmt::format(
        R"("operation": {}, "routes": [ {{"on": "POST /{{id}}", "script": [201]}} ])", where));
    SimpleRequest request = post("/p?op=q", "", R"({"op": "b"})");
    request.headers.push_back({"X-Op", "h"});
    server.status_of(request);
    EXPECT_EQ(server.attempt(1).operation, value) << where;
  }
}

// Equal answers are kept as one; what a record says of them is each route's own.
TEST(same_answers, keep_their_own_place_and_count) {
  ServerUnderTest server(R"("routes": [
      {"on": "GET /a", "script": [ {"status": 200, "body": "x"} ]},
      {"on": "GET /b", "script": [ {"status": 200, "body": "x"} ]},
      {"on": "POST /b", "script": [ {"status": 200, "body": "y"} ]},
      {"on": "GET /c", "script": [ {"status": 200, "headers": {"A": "x"}} ]} ])");
  for (const char* const target : {"/b", "/a", "/b"}) {
    EXPECT_THAT(server.send(get(target)).bytes(), EndsWith("\r\n\r\nx"));
  }
  EXPECT_THAT(server.send(post("/b")).bytes(), EndsWith("\r\n\r\ny"));
  EXPECT_EQ(server.attempt(1).planned.step, "/routes/1/script/0");
  EXPECT_EQ(server.attempt(2).planned.step, "/routes/0/script/0");
  EXPECT_EQ(server.attempt(3).planned.route, "GET /b");
  EXPECT_EQ(server.attempt(4).planned.route, "POST /b");
  EXPECT_EQ(server.engine().steps_unused(), 1u);
}

TEST(exact_path, finds_its_route_among_many) {
  std::string routes;
  for (int i = 0; i < 200; ++i) {
    routes += R"({"on": "GET /things/)" + std::to_string(i) + R"(", "script": [ 200 ]},)";
  }
  ServerUnderTest server(R"("routes": [)" + routes + R"({"on": "PUT /things/7", "script": [ 201 ]},
      {"on": "* /things/{id}", "script": [ 404 ]}, {"on": "GET /last", "script": [ 202 ]} ])");
  for (int i = 0; i < 200; ++i) {
    const auto sent = server.send(get("/things/" + std::to_string(i)));
    EXPECT_EQ(server.attempt(sent.id).planned.route, "GET /things/" + std::to_string(i));
  }
  EXPECT_EQ(server.status_of(get("/things/200")), 404);
  EXPECT_EQ(server.status_of(by("PUT", "/things/7")), 201);
  EXPECT_EQ(server.status_of(by("PUT", "/things/8")), 404);
  EXPECT_EQ(server.status_of(get("/last")), 202);
}

}  // namespace
}  // namespace retrylab::engine
