// SPDX-License-Identifier: MIT
#include "testing/mock_server.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "client_lib/net/retry_client.h"
#include "testing/scenario_builder.h"

namespace retrylab::testing {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<RetryClient> quick_client() {
  ClientOptions options{.seed = 1};
  options.policy.backoff = {.base = 1ms, .cap = 5ms};
  options.policy.server_wait.limit = 8s;
  return *RetryClient::make(options);
}

std::unique_ptr<MockServer> serve(const ScenarioBuilder& builder, MockServerOptions options = {}) {
  auto scenario = builder.build();
  if (!scenario) ADD_FAILURE() << scenario.error().message;
  return *MockServer::start(std::move(*scenario), options);
}

TEST(MockServer, serves_its_script_and_keeps_a_journal) {
  const auto server =
      serve(std::move(ScenarioBuilder("t").route("GET /x").answers(503).answers(200)));
  EXPECT_TRUE(quick_client()->send({.url = server->url("/x")}).ok());
  EXPECT_TRUE(server->wait_for_attempts(2, 10s));
  const journal::Run journal = server->journal();
  ASSERT_EQ(journal.attempts.size(), 2U);
  EXPECT_EQ(journal.attempts[0].planned.status, 503);
  EXPECT_EQ(journal.attempts[1].planned.status, 200);
}

TEST(MockServer, waiting_for_attempts_that_do_not_come_ends) {
  const auto server = serve(std::move(ScenarioBuilder("t").route("GET /x").answers(200)));
  EXPECT_FALSE(server->wait_for_attempts(1, 1ms));
  EXPECT_TRUE(server->wait_for_attempts(0, 0ms));
}

TEST(MockServer, two_servers_have_ports_of_their_own) {
  const auto one = serve(std::move(ScenarioBuilder("t").route("GET /").answers(200)));
  const auto two = serve(std::move(ScenarioBuilder("t").route("GET /").answers(200)));
  EXPECT_NE(one->url(), two->url());
}

TEST(MockServer, the_verdict_ends_the_run) {
  const auto server = serve(std::move(ScenarioBuilder("t").route("GET /").answers(200)));
  EXPECT_TRUE(quick_client()->send({.url = server->url("/")}).ok());
  server->client_succeeded();
  EXPECT_EQ(server->verdict().status, verify::Status::pass) << server->report();
  EXPECT_EQ(quick_client()->send({.url = server->url("/")}).attempts.at(0).failure,
            Failure::refused);
  EXPECT_EQ(server->journal().attempts.size(), 1U);
}

TEST(MockServer, what_the_client_came_to_is_judged) {
  const auto server =
      serve(std::move(ScenarioBuilder("t").route("GET /").answers(200).expects_client("succeeds")));
  EXPECT_TRUE(quick_client()->send({.url = server->url("/")}).ok());
  server->client_failed("misread the answer");
  EXPECT_EQ(server->verdict().status, verify::Status::fail);
}

TEST(MockServer, reads_a_file_and_what_lies_beside_it) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "answer.txt") << "from a file";
  std::ofstream(folder + "scenario.json") << R"({"name": "t", "routes": [{"on": "GET /", "script": [
             {"status": 200, "body_file": "answer.txt"}]}]})";
  const auto server = MockServer::start_file(folder + "scenario.json");
  ASSERT_TRUE(server) << server.error().message;
  EXPECT_EQ(quick_client()->send({.url = (*server)->url("/")}).response().body, "from a file");
}

TEST(MockServer, mistakes_are_error_values) {
  const auto wrong = MockServer::start_text(R"({"name": "t", "rutes": []})");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::invalid_scenario);
  EXPECT_NE(wrong.error().message.find("rutes"), std::string::npos);
  EXPECT_EQ(MockServer::start_file("/nowhere.json").error().code, ErrorCode::machine);
}

}  // namespace
}  // namespace retrylab::testing
