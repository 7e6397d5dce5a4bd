// SPDX-License-Identifier: MIT
// One behaviour suite over every transport: cpp-httplib and Beast against a run over loopback,
// and a transport in memory that is told what such a server does.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "client_lib/net/retry_client.h"
#include "tests/client_lib/net/gzip.h"
#include "tests/client_lib/net/scripted_transport.h"
#include "tests/client_lib/net/skipping_clock.h"
#include "tests/client_lib/transports/loopback_server.h"
#include "tests/client_lib/transports/transports.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

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
  if (kind == Kind::memory) return std::make_unique<ScriptedTransport>(behaviour.in_memory);
  return make_socket_transport(kind);
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
  auto client = *RetryClient::make(quick_options(), *transport, clock);
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

}  // namespace
}  // namespace retrylab
