// SPDX-License-Identifier: MIT
// One behaviour suite over every transport: cpp-httplib and Beast against a run over loopback,
// and a transport in memory that is told what such a server does.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client_lib/base/sha256.h"
#include "client_lib/net/beast_transport.h"
#include "client_lib/net/httplib_transport.h"
#include "client_lib/net/retry_client.h"
#include "tests/client_lib/net/gzip.h"
#include "tests/client_lib/transports/loopback_server.h"
#include "tests/client_lib/net/scripted_transport.h"
#include "tests/client_lib/net/skipping_clock.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

enum class Kind { memory, httplib, beast };

struct Behaviour {
  std::string name;
  std::string script;              // the steps of the one route
  std::vector<Outcome> in_memory;  // the same, as a transport in memory sees it
  std::string expected;            // what each attempt came to, and the reason
  std::string httplib_expected{};  // where that transport cannot tell; "": the same
  Request request{};               // its URL is filled in
  std::string more{};              // more members of the route
};

Outcome failed(Failure failure) {
  return {.failure = failure};
}

// A whole answer in raw bytes, and then the connection's end.
std::string raw(const std::string& bytes) {
  return R"({"status": 200, "fault": [{"do": "garbage", "at": "response_start", "bytes": ")" +
         bytes + R"("}, {"do": "close", "at": "response_start"}]})";
}

const std::vector<Behaviour>& behaviours() {
  const Request post{.method = "POST", .body = "pay"};
  const Request keyed{.method = "POST", .body = "pay", .make_key = true};
  const Headers retry_after{{"Retry-After", "2"}};
  static const std::vector<Behaviour> kAll{
      {"two_503_then_success",
       "503, 503, 200",
       {answer(503), answer(503), answer(200)},
       "503 503 200 | succeeded"},
      {"gives_up", "503", {answer(503)}, "503 503 503 503 503 | attempts_exhausted"},
      {"redirects_are_not_followed",
       R"({"status": 302, "headers": {"Location": "/y"}})",
       {answer(302, {{"Location", "/y"}})},
       "302 | succeeded"},
      {"permanent", "404", {answer(404)}, "404 | permanent_status"},
      {"retry_after",
       R"({"status": 429, "retry_after": "2s"}, 200)",
       {answer(429, retry_after), answer(200)},
       "429 200 | succeeded"},
      {"retry_after_too_long",
       R"({"status": 429, "retry_after": "9s"}, 200)",
       {answer(429, {{"Retry-After", "9"}})},
       "429 | retry_after_exceeds_limit"},
      {"reset",
       R"({"status": 200, "fault": {"do": "reset", "at": "response_start"}}, 200)",
       {failed(Failure::reset), answer(200)},
       "reset 200 | succeeded",
       "transport 200 | succeeded"},
      {"closed",
       R"({"status": 200, "fault": {"do": "close", "at": "response_start"}}, 200)",
       {failed(Failure::closed), answer(200)},
       "closed 200 | succeeded",
       "transport 200 | succeeded"},
      {"cut_in_the_head",
       R"({"status": 200, "fault": {"do": "close", "at": {"response_byte": 20}}}, 200)",
       {failed(Failure::truncated), answer(200)},
       "truncated 200 | succeeded",
       "transport 200 | succeeded"},
      {"cut_in_the_body",
       R"({"status": 200, "body_size": "10KB", "fault": {"do": "close", "at": {"body_byte": 5000}}}, 200)",
       {failed(Failure::truncated), answer(200)},
       "truncated 200 | succeeded",
       "transport 200 | succeeded"},
      {"cut_in_a_chunked_body",
       R"({"status": 200, "body_size": "10KB", "framing": "chunked", "chunks": [1000],
           "fault": {"do": "close", "at": {"body_byte": 5000}}}, 200)",
       {failed(Failure::truncated), answer(200)},
       "truncated 200 | succeeded",
       "transport 200 | succeeded"},
      {"reset_in_the_body",
       R"({"status": 200, "body_size": "10KB", "fault": {"do": "reset", "at": {"body_byte": 5000}}}, 200)",
       {failed(Failure::truncated), answer(200)},
       "truncated 200 | succeeded",
       "transport 200 | succeeded"},
      {"malformed",
       raw("HELLO WORLD\\r\\n\\r\\n") + ", 200",
       {failed(Failure::malformed), answer(200)},
       "malformed 200 | succeeded",
       "transport 200 | succeeded"},
      {"stalled",
       R"({"status": 200, "fault": {"do": "stall", "at": "response_start"}}, 200)",
       {failed(Failure::timeout), answer(200)},
       "timeout 200 | succeeded"},
      {"stalled_in_the_body",
       R"({"status": 200, "body_size": "10KB", "fault": {"do": "stall", "at": {"body_byte": 5000}}}, 200)",
       {failed(Failure::timeout), answer(200)},
       "timeout 200 | succeeded"},
      {"trickled",
       R"({"status": 200, "body_size": "10KB", "pace": {"part": "body", "bytes": 1, "every": "20ms"}}, 200)",
       {failed(Failure::timeout), answer(200)},
       "timeout 200 | succeeded"},
      {"post_without_key",
       R"({"status": 201, "fault": {"do": "reset", "at": "response_start"}}, 201)",
       {failed(Failure::reset)},
       "reset | not_idempotent",
       "transport | not_idempotent",
       post},
      {"post_with_key",
       R"({"status": 201, "fault": {"do": "reset", "at": "response_start"}}, 500)",
       {failed(Failure::reset), answer(201)},
       "reset 201 | succeeded",
       "transport 201 | succeeded",
       keyed,
       R"("creates": "payment", "idempotency": {"required": true},)"},
      {"chunked",
       R"({"status": 200, "body_size": "10KB", "framing": "chunked", "chunks": [7]})",
       {answer(200)},
       "200 | succeeded"},
      {"until_close",
       R"({"status": 200, "body_size": "10KB", "framing": "close"})",
       {answer(200)},
       "200 | succeeded"},
      {"no_content", "204", {answer(204)}, "204 | succeeded"},
      {"head", "200", {answer(200)}, "200 | succeeded", "", {.method = "HEAD"}},
      {"interim_answers",
       raw("HTTP/1.1 103 Early Hints\\r\\nLink: </x>\\r\\n\\r\\nHTTP/1.1 200 "
           "OK\\r\\nContent-Length: 2\\r\\n\\r\\nok") +
           ", 200",
       {answer(200)},
       "200 | succeeded",
       "malformed 200 | succeeded"},
      {"two_lengths",
       raw("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nContent-Length: 3\\r\\n\\r\\nok") + ", 200",
       {failed(Failure::malformed), answer(200)},
       "malformed 200 | succeeded",
       "200 | succeeded"},
      {"gzip",
       R"({"status": 200, "headers": {"Content-Encoding": "gzip"}, "body_file": "whole"})",
       {answer(200, {{"Content-Encoding", "gzip"}}, gzip("text"))},
       "200 | succeeded"},
      {"gzip_cut",
       R"({"status": 200, "headers": {"Content-Encoding": "gzip"}, "body_file": "cut"}, 200)",
       {answer(200, {{"Content-Encoding", "gzip"}}, gzip("text").substr(0, 15)), answer(200)},
       "truncated 200 | succeeded"},
      {"gzip_wrong",
       R"({"status": 200, "headers": {"Content-Encoding": "gzip"}, "body": "plain"}, 200)",
       {answer(200, {{"Content-Encoding", "gzip"}}, "plain"), answer(200)},
       "malformed 200 | succeeded"},
  };
  return kAll;
}

std::unique_ptr<Transport> make_transport(Kind kind, const Behaviour& behaviour) {
  switch (kind) {
    case Kind::memory:
      return std::make_unique<ScriptedTransport>(behaviour.in_memory);
    case Kind::httplib:
      return std::make_unique<HttplibTransport>();
    case Kind::beast:
      return std::make_unique<BeastTransport>();
  }
  return nullptr;
}

std::string dump(const OperationResult& result) {
  std::string text;
  for (const AttemptRecord& attempt : result.attempts) {
    text +=
        attempt.status != 0 ? std::to_string(attempt.status) : std::string(word(attempt.failure));
    text += " ";
  }
  return text + "| " + std::string(word(result.reason));
}

ClientOptions options() {
  ClientOptions options{.seed = 1};
  options.policy.attempt_timeout = 300ms;
  return options;
}

std::string scenario_of(const Behaviour& behaviour) {
  return R"({"name": "t", "routes": [{"on": "* /x", )" + behaviour.more + R"("script": [)" +
         behaviour.script + "]}]}";
}

using Suite = ::testing::TestWithParam<std::tuple<Kind, std::size_t>>;

TEST_P(Suite, comes_to_the_same) {
  const auto [kind, index] = GetParam();
  const Behaviour& behaviour = behaviours()[index];
  LoopbackServer server(scenario_of(behaviour),
                        {{"whole", gzip("text")}, {"cut", gzip("text").substr(0, 15)}});
  SkippingClock clock;
  const auto transport = make_transport(kind, behaviour);
  auto client = *RetryClient::make(options(), *transport, clock);
  Request request = behaviour.request;
  request.url = server.url("/x");
  const bool other = kind == Kind::httplib && !behaviour.httplib_expected.empty();
  EXPECT_EQ(dump(client->send(request)), other ? behaviour.httplib_expected : behaviour.expected);
}

std::string name_of(const ::testing::TestParamInfo<Suite::ParamType>& info) {
  constexpr const char* kKinds[] = {"memory", "httplib", "beast"};
  return behaviours()[std::get<1>(info.param)].name + "_over_" +
         kKinds[static_cast<std::size_t>(std::get<0>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(Transports, Suite,
                         ::testing::Combine(::testing::Values(Kind::memory, Kind::httplib,
                                                              Kind::beast),
                                            ::testing::Range<std::size_t>(0, behaviours().size())),
                         name_of);

// ---- What needs a socket -----------------------------------------------------------------

class Sockets : public ::testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<Transport> transport = make_transport(GetParam(), behaviours()[0]);
  SkippingClock clock;
  std::unique_ptr<RetryClient> client = *RetryClient::make(options(), *transport, clock);
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
  client = *RetryClient::make(options(), *small, clock);
  EXPECT_EQ(dump(client->send({.url = server.url("/x")})), "too_large | permanent_failure");
}

// The attempt would last for ever: only the cancellation ends it.
TEST_P(Sockets, cancelling_ends_an_attempt_that_waits_for_its_answer) {
  LoopbackServer server(
      R"({"name": "t", "routes": [{"on": "* /x", "script": [
          {"status": 200, "fault": {"do": "stall", "at": "response_start"}}]}]})");
  ClientOptions patient = options();
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
  ClientOptions patient = options();
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
  auto client = *RetryClient::make(options(), transport, clock);
  const OperationResult result = client->send({.method = "POST",
                                               .url = server.url("/x"),
                                               .body = std::string(3'000'000, 'x'),
                                               .make_key = true});
  ASSERT_FALSE(result.attempts.empty());
  EXPECT_EQ(dump(result), "413 | permanent_status");
}

}  // namespace
}  // namespace retrylab
