// SPDX-License-Identifier: MIT
// What of a transport needs a socket to be seen: connections used again or not, bodies from files,
// cancelling, many threads.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client_lib/base/sha256.h"
#include "client_lib/net/beast_transport.h"
#include "client_lib/net/retry_client.h"
#include "tests/client_lib/net/skipping_clock.h"
#include "tests/client_lib/transports/loopback_server.h"
#include "tests/client_lib/transports/transports.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

class Sockets : public ::testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<Transport> transport = make_socket_transport(GetParam());
  SkippingClock clock;
  std::unique_ptr<RetryClient> client = *RetryClient::make(quick_options(), *transport, clock);
};

INSTANTIATE_TEST_SUITE_P(Transports, Sockets, ::testing::Values(Kind::httplib, Kind::beast),
                         [](const auto& instance) {
                           return instance.param == Kind::httplib ? "httplib" : "beast";
                         });

const char* const kTwoThenSuccess =
    R"({"name": "t", "routes": [{"on": "* /x", "script": [
        {"status": 503, "body_size": "100KB"}, {"status": 503, "body_size": "100KB"}, 200]}]})";

TEST_P(Sockets, failed_answers_are_drained_and_their_connection_is_used_again) {
  LoopbackServer server(kTwoThenSuccess);
  EXPECT_TRUE(client->send({.url = server.url("/x")}).ok());
  EXPECT_TRUE(client->send({.url = server.url("/x")}).ok());
  EXPECT_EQ(server.stop().connections.size(), 1U);
}

TEST_P(Sockets, a_connection_that_the_server_closes_is_not_used_again) {
  LoopbackServer server(
      R"({"name": "t", "routes": [{"on": "* /x", "script": [
          {"status": 503, "headers": {"Connection": "close"}}, 200]}]})");
  EXPECT_TRUE(client->send({.url = server.url("/x")}).ok());
  EXPECT_EQ(server.stop().connections.size(), 2U);
}

TEST_P(Sockets, a_408_is_repeated_once_on_a_new_connection) {
  LoopbackServer server(
      R"({"name": "t", "routes": [{"on": "* /x", "script": [
          {"status": 408, "headers": {"Connection": "close"}}]}]})");
  EXPECT_EQ(dump(client->send({.url = server.url("/x")})), "408 408 | permanent_status");
  EXPECT_EQ(server.stop().connections.size(), 2U);
}

TEST_P(Sockets, a_refused_connection_is_retried_whatever_the_method) {
  std::string url;
  {
    LoopbackServer server(kTwoThenSuccess);
    url = server.url("/x");
  }
  EXPECT_EQ(dump(client->send({.method = "POST", .url = url})),
            "refused refused refused refused refused | attempts_exhausted");
}

TEST_P(Sockets, a_name_that_does_not_resolve_says_so) {
  const OperationResult result = client->send({.url = "http://name.invalid/"});
  ASSERT_FALSE(result.attempts.empty());
  EXPECT_EQ(result.attempts[0].failure, Failure::name_resolution);
}

TEST_P(Sockets, head_body_and_headers_arrive_as_they_were_given) {
  LoopbackServer server(R"({"name": "t", "routes": [{"on": "* /x", "script": [201]}]})");
  const OperationResult result = client->send({.method = "POST",
                                               .url = server.url("/x?a=%20b"),
                                               .headers = {{"X-One", "1"}, {"x-two", "2"}},
                                               .body = std::string("a\0b", 3),
                                               .make_key = true});
  EXPECT_TRUE(result.ok());
  const journal::Run run = server.stop();
  ASSERT_EQ(run.attempts.size(), 1U);
  const journal::Attempt& attempt = run.attempts[0];
  EXPECT_EQ(attempt.target, "/x?a=%20b");
  EXPECT_EQ(attempt.body_bytes, 3U);
  const Headers headers = attempt.headers();
  EXPECT_EQ(find_header(headers, "X-One"), "1");
  EXPECT_EQ(find_header(headers, "x-two"), "2");
  EXPECT_EQ(find_header(headers, "Idempotency-Key"), result.key);
  EXPECT_EQ(find_header(headers, "User-Agent"), "retrylab-client");
  for (const char* name : {"Host", "Content-Length", "User-Agent", "Accept-Encoding"}) {
    EXPECT_EQ(count_header(headers, name), 1) << name;
  }
}

TEST_P(Sockets, an_empty_post_says_its_length) {
  LoopbackServer server(R"({"name": "t", "routes": [{"on": "* /x", "script": [201]}]})");
  EXPECT_TRUE(client->send({.method = "POST", .url = server.url("/x")}).ok());
  EXPECT_EQ(find_header(server.stop().attempts.at(0).headers(), "Content-Length"), "0");
}

TEST_P(Sockets, a_body_from_a_file_is_streamed_with_every_attempt) {
  const std::string path = ::testing::TempDir() + "retrylab_body";
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i);
  std::ofstream(path, std::ios::binary) << text;
  LoopbackServer server(R"({"name": "t", "routes": [{"on": "* /x", "script": [503, 200]}]})");
  const auto body = file_body(path);
  ASSERT_TRUE(body);
  EXPECT_TRUE(client->send({.method = "PUT", .url = server.url("/x"), .body_source = *body}).ok());
  const journal::Run run = server.stop();
  ASSERT_EQ(run.attempts.size(), 2U);
  for (const journal::Attempt& attempt : run.attempts) {
    EXPECT_EQ(attempt.body_bytes, text.size());
    EXPECT_EQ(attempt.body_sha256, sha256(text));
  }
}

TEST_P(Sockets, a_body_source_that_ends_early_is_an_invalid_request) {
  class Short : public BodySource {
   public:
    std::uint64_t size() const override { return 10; }
    bool can_rewind() const override { return true; }
    bool rewind() override { return true; }
    std::size_t read(std::span<char>) override { return 0; }
  };
  LoopbackServer server(R"({"name": "t", "routes": [{"on": "* /x", "script": [200]}]})");
  EXPECT_EQ(
      dump(client->send(
          {.method = "PUT", .url = server.url("/x"), .body_source = std::make_shared<Short>()})),
      "invalid_request | invalid_request");
}

TEST_P(Sockets, an_answer_over_the_limit_is_too_large_and_not_retried) {
  LoopbackServer server(
      R"({"name": "t", "routes": [{"on": "* /x", "script": [{"status": 200, "body_size": "1MB"}]}]})");
  std::unique_ptr<Transport> small;
  const TransportOptions limited{.body_bytes_max = 1'000};
  if (GetParam() == Kind::httplib) small = std::make_unique<HttplibTransport>(limited);
  if (GetParam() == Kind::beast) small = std::make_unique<BeastTransport>(limited);
  client = *RetryClient::make(quick_options(), *small, clock);
  EXPECT_EQ(dump(client->send({.url = server.url("/x")})), "too_large | permanent_failure");
}

// The attempt would last for ever: only the cancellation ends it.
TEST_P(Sockets, cancelling_ends_an_attempt_that_waits_for_its_answer) {
  LoopbackServer server(
      R"({"name": "t", "routes": [{"on": "* /x", "script": [
          {"status": 200, "fault": {"do": "stall", "at": "response_start"}}]}]})");
  ClientOptions patient = quick_options();
  patient.policy.attempt_timeout = kForever;
  patient.policy.deadline = kForever;
  client = *RetryClient::make(patient, *transport, clock);
  std::stop_source source;
  std::thread other([&] {
    while (server.snapshot().attempts.empty()) std::this_thread::yield();
    source.request_stop();
  });
  EXPECT_EQ(dump(client->send({.url = server.url("/x")}, source.get_token())),
            "cancelled | cancelled");
  other.join();
}

TEST_P(Sockets, many_threads_share_a_transport_with_a_pool_of_one) {
  LoopbackServer server(R"({"name": "t", "routes": [{"on": "* /x", "script": [200]}]})");
  std::unique_ptr<Transport> narrow;
  const TransportOptions one{.idle_connections_max = 1};
  if (GetParam() == Kind::httplib) narrow = std::make_unique<HttplibTransport>(one);
  if (GetParam() == Kind::beast) narrow = std::make_unique<BeastTransport>(one);
  ClientOptions patient = quick_options();
  patient.policy.attempt_timeout = 20s;
  client = *RetryClient::make(patient, *narrow, clock);
  std::vector<std::thread> threads;
  std::atomic<int> succeeded = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 25; ++k)
        succeeded += client->send({.url = server.url("/x")}).ok() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(succeeded, 200);
  EXPECT_EQ(server.stop().attempts.size(), 200U);
}

// A stray answer on an idle connection must not be taken for the next request's.
TEST_P(Sockets, an_answer_nobody_asked_for_is_not_taken) {
  LoopbackServer server(
      R"({"name": "t", "routes": [{"on": "* /x", "script": [
          {"status": 200, "body": "first",
           "fault": {"do": "garbage", "at": "response_end",
                     "bytes": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"}},
          {"status": 200, "body": "second"}]}]})");
  EXPECT_EQ(client->send({.url = server.url("/x")}).response().body, "first");
  EXPECT_EQ(client->send({.url = server.url("/x")}).response().body, "second");
}

// psf/requests#2422: the server answers and closes before it has read the body.
TEST(BeastSockets, an_early_answer_is_read_although_the_request_was_not) {
  LoopbackServer server(
      R"({"name": "t", "routes": [{"on": "* /x", "script": [
          {"status": 413, "fault": {"do": "leave_unread", "at": "request_headers"}}]}]})");
  BeastTransport transport;
  SkippingClock clock;
  auto client = *RetryClient::make(quick_options(), transport, clock);
  const OperationResult result = client->send({.method = "POST",
                                               .url = server.url("/x"),
                                               .body = std::string(3'000'000, 'x'),
                                               .make_key = true});
  ASSERT_FALSE(result.attempts.empty());
  EXPECT_EQ(dump(result), "413 | permanent_status");
}

}  // namespace
}  // namespace retrylab
