// SPDX-License-Identifier: MIT
// Answers byte for byte: framing right and wrong, versions, interim answers, segments, pace.
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/raw_client.h"
#include "tests/server/runs/wire.h"

namespace retrylab::runs {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct Shape {
  std::string_view name;
  std::string_view step;
  std::string bytes;  // all that is received, Date left out
  std::string flaw = "";
  std::string request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
};

class shape_of_an_answer : public testing::TestWithParam<Shape> {};

TEST_P(shape_of_an_answer, is_byte_for_byte_as_the_file_says) {
  const Shape& shape = GetParam();
  Running running(scenario_of(shape.step));
  RawClient client(running.url());
  client.send(shape.request);
  const Received received = client.receive_all();
  EXPECT_EQ(without_date(received.bytes), shape.bytes);
  EXPECT_EQ(received.end, Seen::fin);
  const journal::Run run = running.run->stop();
  const std::vector<std::string>& faults = run.attempts.at(0).planned.faults;
  EXPECT_EQ(faults.empty() ? "" : faults.front(), shape.flaw);
}

const std::string kClosing = "Connection: close\r\n\r\n";
const std::string kChunked = kOk + kText + "Transfer-Encoding: chunked\r\n";

INSTANTIATE_TEST_SUITE_P(
    table, shape_of_an_answer,
    testing::Values(
        Shape{"right_length", R"({"status": 200, "body": "hello"})",
              kOk + kText + "Content-Length: 5\r\n" + kClosing + "hello"},
        Shape{"long_length",
              R"({"status": 200, "body": "hello", "framing": {"content_length": "+5"}})",
              kOk + kText + "Content-Length: 10\r\n" + kClosing + "hello",
              "long_length at framing"},
        Shape{
            "short_length", R"({"status": 200, "body": "hello", "framing": {"content_length": 2}})",
            kOk + kText + "Content-Length: 2\r\n" + kClosing + "hello", "short_length at framing"},
        Shape{"no_length", R"({"status": 200, "body": "hello", "framing": "close"})",
              kOk + kText + kClosing + "hello"},
        Shape{"two_lengths",
              R"({"status": 200, "body": "hello", "framing": {"content_length": [5, 7]}})",
              kOk + kText + "Content-Length: 5\r\nContent-Length: 7\r\n" + kClosing + "hello",
              "two_lengths at framing"},
        Shape{"chunks",
              R"({"status": 200, "body": "hello", "framing": "chunked", "chunks": [1, 3]})",
              kChunked + kClosing + "1\r\nh\r\n3\r\nell\r\n1\r\no\r\n0\r\n\r\n"},
        Shape{"bad_chunk_size",
              R"({"status": 200, "body": "hello", "chunks": [2],
                  "framing": {"chunked": {"bad_size": "zz", "bad_chunk": 2}}})",
              kChunked + kClosing + "2\r\nhe\r\nzz\r\nll\r\n1\r\no\r\n0\r\n\r\n",
              "bad_size at framing"},
        Shape{"no_last_chunk",
              R"({"status": 200, "body": "hello", "framing": {"chunked": {"last_chunk": false}}})",
              kChunked + kClosing + "5\r\nhello\r\n", "no_last_chunk at framing"},
        Shape{"trailers",
              R"({"status": 200, "body": "hello",
                  "framing": {"chunked": {"trailers": {"X-T": "1"}}}})",
              kChunked + kClosing + "5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n"},
        Shape{"length_beside_chunks",
              R"({"status": 200, "body": "hello",
                  "framing": {"chunked": {}, "content_length": 5}})",
              kChunked + "Content-Length: 5\r\n" + kClosing + "5\r\nhello\r\n0\r\n\r\n",
              "length_beside_chunks at framing"},
        Shape{"version_1_0", R"({"status": 200, "body": "hello", "version": "1.0"})",
              "HTTP/1.0 200 OK\r\n" + kText + "Content-Length: 5\r\n\r\nhello", "", kGet},
        Shape{"head_with_a_length", R"({"status": 200, "body": "hello"})",
              kOk + kText + "Content-Length: 5\r\n" + kClosing, "",
              "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"},
        Shape{"raw_headers",
              R"({"status": 200, "headers": [["X-A", "1"], ["x-a", "2"], ["X-Empty", ""],
                  ["X-Folded", "a\r\n b"]]})",
              kOk + "X-A: 1\r\nx-a: 2\r\nX-Empty: \r\nX-Folded: a\r\n b\r\nContent-Length: 0\r\n" +
                  kClosing},
        Shape{"interim",
              R"({"status": 200, "interim": [103, {"status": 102, "headers": {"X-A": "1"}}]})",
              "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Processing\r\nX-A: 1\r\n\r\n" + kOk +
                  "Content-Length: 0\r\n" + kClosing},
        Shape{"long_length_on_a_kept_alive_connection",
              R"({"status": 200, "body": "hello", "framing": {"content_length": "+5"}})",
              kOk + kText + "Content-Length: 10\r\n\r\nhello", "long_length at framing", kGet}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(write_sizes, are_segments) {
  Running running(scenario_of(R"({"status": 200, "body": "hello", "write_sizes": [1, 2]})"));
  RawClient client(running.url());
  client.send(kGet);
  const std::string answer = client.answer();
  EXPECT_THAT(answer, EndsWith("hello"));
  EXPECT_EQ(client.segments_received(), 1 + answer.size() / 2);
}

TEST(pace_of_the_head, is_never_early) {
  Running running(scenario_of(R"({"status": 200, "body": "hello",
      "pace": [{"part": "head", "bytes": 40, "every": "5ms"},
               {"part": "body", "bytes": 1, "every": "5ms"}]})"));
  RawClient client(running.url());
  client.send(kGet);
  EXPECT_THAT(client.answer(), EndsWith("hello"));
  const journal::Run run = running.run->stop();
  const journal::Attempt& attempt = run.attempts.at(0);
  EXPECT_GE(*attempt.delivered.r_max - *attempt.body_read, std::chrono::milliseconds(5 * 6));
}

struct Expecting {
  std::string_view name;
  std::string_view step;
  std::string first;  // what the client gets before it sends its body
};

class expect_continue : public testing::TestWithParam<Expecting> {};

TEST_P(expect_continue, is_answered_as_the_step_says) {
  Running running(scenario_of(GetParam().step));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  const std::string& first = GetParam().first;
  if (first.empty()) {
    EXPECT_TRUE(client.silent());
  } else {
    EXPECT_EQ(client.receive(first.size()).bytes, first);
  }
  client.send("body");
  EXPECT_THAT(client.answer(), HasSubstr("Content-Length: 0\r\n"));
}

INSTANTIATE_TEST_SUITE_P(
    table, expect_continue,
    testing::Values(
        Expecting{"at_once", R"({"status": 200})", "HTTP/1.1 100 Continue\r\n\r\n"},
        Expecting{"withheld", R"({"status": 200, "continue": "withheld"})", ""},
        Expecting{"late", R"({"status": 200, "continue": {"after": "20ms"}})",
                  "HTTP/1.1 100 Continue\r\n\r\n"},
        Expecting{"refused",
                  R"({"status": 417, "fault": {"do": "leave_unread", "at": "request_headers"}})",
                  "HTTP/1.1 417 Expectation Failed\r\n"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace retrylab::runs
