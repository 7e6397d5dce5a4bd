// SPDX-License-Identifier: MIT
// What does not need a socket; tests/smoke asks the real program.
#include "server/control/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/server/control/fake_runs.h"

namespace retrylab::control {
namespace {

using testing::HasSubstr;

class ApiTest : public testing::Test {
 protected:
  Answer ask(const std::string& method, const std::string& path, const std::string& body = "") {
    Request request{.method = method,
                    .path = path,
                    .headers = {{"Host", "127.0.0.1:1"}, {"Content-Type", "application/json"}}};
    request.body = body;
    return api_.answer(request);
  }

  static std::string kind(const Answer& answer) {
    return nlohmann::json::parse(answer.body).at("type");
  }

  FakeRuns runs_;
  FakeClock clock_;
  Followers followers_{1};
  Api api_{{runs_, clock_, followers_}, Security{}};
};

TEST_F(ApiTest, a_segment_of_a_path_holds_no_slash) {
  runs_.add();
  EXPECT_EQ(ask("GET", "/runs/1").status, 200);
  for (const char* path : {"/runs/", "/runs/1/", "/runs/1/2", "/runs/1/2/verdict", "//runs"}) {
    EXPECT_EQ(ask("GET", path).status, 404) << path;
  }
}

TEST_F(ApiTest, what_goes_wrong_inside_is_a_problem_and_no_exception) {
  runs_.add();
  runs_.failure = "the pipe burst";
  const Answer answer = ask("GET", "/runs/1");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(kind(answer), "urn:retrylab:problem:internal");
}

TEST_F(ApiTest, a_path_says_which_methods_it_has) {
  const Answer answer = ask("PUT", "/runs/1");
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(find_header(answer.headers, "Allow"), "GET, HEAD, DELETE");
}

TEST_F(ApiTest, a_run_is_ordered_with_seed_and_ttl) {
  const Answer answer =
      ask("POST", "/runs", R"({"scenario": "two-503-then-success", "seed": 7, "ttl": "2m"})");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(find_header(answer.headers, "Location"), "/runs/1");
  ASSERT_EQ(runs_.started.size(), 1U);
  EXPECT_EQ(runs_.started[0].seed, 7U);
  EXPECT_EQ(runs_.started[0].ttl, std::chrono::minutes(2));
  EXPECT_EQ(runs_.started[0].catalogue, "two-503-then-success");
}

TEST_F(ApiTest, a_place_is_given_back_when_its_stream_ends) {
  runs_.add();
  Answer first = ask("GET", "/events");
  ASSERT_NE(first.stream, nullptr);
  EXPECT_EQ(kind(ask("GET", "/events")), "urn:retrylab:problem:limit_reached");
  first.stream.reset();
  EXPECT_NE(ask("GET", "/events").stream, nullptr);
}

TEST_F(ApiTest, a_verdict_is_a_report_that_also_tells_of_the_wait) {
  runs_.add({.attempts_over = 3});
  Request request{.method = "GET",
                  .path = "/runs/1/verdict",
                  .query = {{"wait", "attempts:3"}},
                  .headers = {{"Host", "localhost"}}};
  const auto json = nlohmann::json::parse(api_.answer(request).body);
  EXPECT_EQ(json.at("wait").at("met"), true);
  EXPECT_EQ(json.at("format"), 1);
  request.query.clear();
  EXPECT_TRUE(nlohmann::json::parse(api_.answer(request).body).at("wait").is_null());
}

TEST_F(ApiTest, bytes_that_are_no_text_are_answered_in_text) {
  const Answer answer = ask("GET", "/\xFF\xFE");
  EXPECT_EQ(answer.status, 404);
  EXPECT_THAT(answer.body, HasSubstr("\xEF\xBF\xBD"));
}

}  // namespace
}  // namespace retrylab::control
