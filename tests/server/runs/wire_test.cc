// SPDX-License-Identifier: MIT
// What a scenario's faults are for the kernel of a client: which bytes, FIN or RST, and whether the
// journal says that they were delivered.
#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/raw_client.h"
#include "tests/server/runs/running.h"

namespace retrylab::runs {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const std::string kPost = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody";

// The bytes of a received answer with its Date line left out.
std::string without_date(std::string bytes) {
  for (auto at = bytes.find("Date: "); at != std::string::npos; at = bytes.find("Date: ", at)) {
    bytes.erase(at, bytes.find("\r\n", at) + 2 - at);
  }
  return bytes;
}

std::string scenario_of(std::string_view step) {
  return fmt::format(R"({{"name": "t", "routes": [{{"on": "* /", "script": [{}, 200]}}]}})", step);
}

struct Cell {
  std::string_view name;
  std::string_view step;
  std::string request;
  std::string bytes;  // all that is received, Date left out
  Seen end = Seen::fin;
};

class fault_on_the_wire : public testing::TestWithParam<Cell> {};

TEST_P(fault_on_the_wire, is_what_the_kernel_sees) {
  const Cell& cell = GetParam();
  Running running(scenario_of(cell.step));
  RawClient client(running.url());
  client.send(cell.request);
  const Received received = client.receive_all(cell.end == Seen::nothing);
  EXPECT_EQ(without_date(received.bytes), cell.bytes);
  EXPECT_EQ(received.end, cell.end);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_TRUE(run.attempts[0].delivered.faults_delivered);
  EXPECT_FALSE(run.attempts[0].planned.faults.empty());
}

const std::string kOk = "HTTP/1.1 200 OK\r\n";
const std::string kText = "Content-Type: text/plain; charset=utf-8\r\n";
const std::string kHead = kOk + kText + "Content-Length: 5\r\n\r\n";

// The step that does `effect` at `moment`.
std::string doing(std::string_view effect, std::string_view moment) {
  return fmt::format(R"({{"status": 200, "body": "hello", "fault": {{"do": "{}", "at": {}}}}})",
                     effect, moment);
}

std::vector<Cell> table() {
  static std::vector<std::string> texts;  // the steps that the cells view
  texts.reserve(200);
  struct Moment {
    std::string_view name;
    std::string_view json;
    std::string before;  // what is received before the effect
  };
  const std::vector<Moment> moments{
      {"request_headers", R"("request_headers")", ""},
      {"request_byte", R"({"request_byte": 2})", ""},
      {"request_end", R"("request_end")", ""},
      {"response_start", R"("response_start")", ""},
      {"response_byte", R"({"response_byte": 12})", kOk.substr(0, 12)},
      {"response_headers", R"("response_headers")", kHead},
      {"body_byte", R"({"body_byte": 2})", kHead + "he"},
      {"response_end", R"("response_end")", kHead + "hello"}};
  std::vector<Cell> cells;
  const auto add = [&](std::string name, std::string step, std::string bytes, Seen end) {
    texts.push_back(std::move(name));
    const std::string_view kept = texts.back();
    texts.push_back(std::move(step));
    cells.push_back({kept, texts.back(), kPost, std::move(bytes), end});
  };
  for (const Moment& moment : moments) {
    const std::string at = "_at_" + std::string(moment.name);
    add("close" + at, doing("close", moment.json), moment.before, Seen::fin);
    add("half_close" + at, doing("half_close", moment.json), moment.before, Seen::fin);
    add("stall" + at, doing("stall", moment.json), moment.before, Seen::nothing);
    const bool early = moment.before.empty();
    if (early) add("reset" + at, doing("reset", moment.json), "", Seen::rst);
    const std::string rest = (kHead + "hello").substr(moment.before.size());
    add("garbage" + at,
        fmt::format(R"({{"status": 200, "body": "hello", "headers": {{"Connection": "close"}},
            "fault": {{"do": "garbage", "bytes": "#!", "at": {}}}}})",
                    moment.json),
        "", Seen::fin);
    const std::string closing = kOk + "Connection: close\r\n" + kText + "Content-Length: 5\r\n\r\n";
    const std::string whole = closing + "hello";
    std::size_t cut = moment.before.size();
    if (moment.name == "response_headers") cut = closing.size();
    if (moment.name == "body_byte") cut = closing.size() + 2;
    if (moment.name == "response_end") cut = whole.size();
    cells.back().bytes = whole.substr(0, cut) + "#!" + whole.substr(cut);
  }
  return cells;
}

INSTANTIATE_TEST_SUITE_P(table, fault_on_the_wire, testing::ValuesIn(table()),
                         [](const auto& row) { return std::string(row.param.name); });

// A kernel may throw away what its client has not read when an RST comes: the bytes before it are
// seen because the stall lets the client read them.
TEST(reset_inside_an_answer, comes_behind_the_bytes_before_it) {
  for (const auto& [moment, before] : std::vector<std::pair<std::string, std::string>>{
           {R"({"response_byte": 12})", "HTTP/1.1 200"},
           {R"("response_headers")", kHead},
           {R"({"body_byte": 2})", kHead + "he"},
           {R"("response_end")", kHead + "hello"}}) {
    Running running(scenario_of(fmt::format(
        R"({{"status": 200, "body": "hello", "headers": {{"Date": "D"}},
             "fault": [{{"do": "stall", "for": "50ms", "at": {0}}},
                       {{"do": "reset", "at": {0}}}]}})",
        moment)));
    RawClient client(running.url());
    client.send(kGet);
    const Received received = client.receive_all();
    EXPECT_EQ(without_date(received.bytes).substr(0, before.size()), before) << moment;
    EXPECT_EQ(received.end, Seen::rst) << moment;
  }
}

// The kernels hold far less than a megabyte: sending comes to an end only because it is read.
TEST(swallow, reads_the_whole_request_and_says_nothing) {
  Running running(scenario_of(R"({"fault": {"do": "swallow", "at": "request_headers"}})"));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n" +
              std::string(10'000'000, 'b'));
  EXPECT_TRUE(client.silent());
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  EXPECT_GT(run.connections.at(0).bytes_received, 10'000'000u);
  EXPECT_TRUE(run.attempts.at(0).delivered.faults_delivered);
}

TEST(leave_unread, answers_early_and_keeps_the_connection_for_what_is_to_come) {
  Running running(
      scenario_of(R"({"status": 413, "fault": {"do": "leave_unread", "at": "request_headers"}})"));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nbody");
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 413 Content Too Large\r\n"));
  client.send("rest" + kGet);
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

// The answer arrives; then the RST that a kernel sends when unread bytes are thrown away.
TEST(leave_unread, with_connection_close_ends_with_an_rst) {
  Running running(scenario_of(R"({"status": 413, "headers": {"Connection": "close"},
      "fault": [{"do": "leave_unread", "at": {"request_byte": 10}},
                {"do": "stall", "for": "50ms", "at": "response_end"}]})"));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" +
              std::string(250'000, 'b'));
  const Received received = client.receive_all();
  EXPECT_THAT(received.bytes, StartsWith("HTTP/1.1 413 Content Too Large\r\n"));
  EXPECT_EQ(received.end, Seen::rst);
}

// ---- Between two requests ----------------------------------------------------------------

struct Between {
  std::string_view name;
  std::string_view fault;
  bool sends_next = false;
  std::string bytes;  // after the first answer
  Seen end = Seen::fin;
  std::size_t attempts = 1;
};

class fault_between_requests : public testing::TestWithParam<Between> {};

TEST_P(fault_between_requests, is_what_the_kernel_sees) {
  const Between& cell = GetParam();
  Running running(scenario_of(fmt::format(R"({{"status": 200, "fault": {}}})", cell.fault)));
  RawClient client(running.url());
  client.send(kGet);
  EXPECT_THAT(client.answer(), StartsWith(kOk));
  if (cell.sends_next) client.send(kPost);
  const Received received = client.receive_all();
  EXPECT_THAT(received.bytes, StartsWith(cell.bytes));
  EXPECT_EQ(received.bytes.empty(), cell.bytes.empty());
  EXPECT_EQ(received.end, cell.end);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), cell.attempts);
  ASSERT_EQ(run.connections.size(), 1u);
  EXPECT_FALSE(run.connections[0].planned_faults.empty());
  EXPECT_TRUE(run.connections[0].faults_delivered);
  EXPECT_EQ(run.steps_unused, 1u);
  if (cell.attempts < 2) return;
  EXPECT_EQ(run.attempts[1].planned.source, journal::Source::connection);
  EXPECT_EQ(run.attempts[1].method, "POST");
  EXPECT_TRUE(run.attempts[1].delivered.faults_delivered);
}

INSTANTIATE_TEST_SUITE_P(
    table, fault_between_requests,
    testing::Values(Between{"close_at_idle", R"({"do": "close", "at": {"idle": "20ms"}})"},
                    Between{"reset_at_idle", R"({"do": "reset", "at": {"idle": "20ms"}})", false,
                            "", Seen::rst},
                    Between{"unsolicited_at_idle_then_close",
                            R"([{"do": "unsolicited", "at": {"idle": "10ms"}},
                    {"do": "close", "at": {"idle": "20ms"}}])",
                            false, "HTTP/1.1 408 Request Timeout\r\n"},
                    Between{"close_at_next_request", R"({"do": "close", "at": "next_request"})",
                            true, "", Seen::fin, 2},
                    Between{"reset_at_next_request", R"({"do": "reset", "at": "next_request"})",
                            true, "", Seen::rst, 2},
                    Between{"close_when_the_next_request_is_whole",
                            R"({"do": "close", "at": "next_request", "read": "all"})", true, "",
                            Seen::fin, 2},
                    Between{"reset_when_the_next_request_begins",
                            R"({"do": "reset", "at": "next_request", "read": "none"})", true, "",
                            Seen::rst, 1}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(unsolicited_at_next_request, comes_before_the_answer_that_is_asked_for) {
  Running running(scenario_of(R"({"status": 200, "fault":
      {"do": "unsolicited", "at": "next_request",
       "bytes": "HTTP/1.1 204 No Content\r\n\r\n"}})"));
  RawClient client(running.url());
  client.send(kGet);
  client.answer();
  client.send(kGet);
  EXPECT_EQ(client.answer(), "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_THAT(client.answer(), StartsWith(kOk));
}

TEST(request_before_the_idle_time, is_served_and_leaves_the_fault_undelivered) {
  Running running(
      scenario_of(R"({"status": 200, "fault": {"do": "reset", "at": {"idle": "1h"}}})"));
  RawClient client(running.url());
  client.send(kGet);
  client.answer();
  client.send(kGet);
  EXPECT_THAT(client.answer(), StartsWith(kOk));
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  EXPECT_EQ(run.attempts.size(), 2u);
  EXPECT_TRUE(run.attempts[0].delivered.faults_delivered);
  EXPECT_FALSE(run.connections[0].faults_delivered);
}

// ---- Connections -------------------------------------------------------------------------

struct Accepting {
  std::string_view name;
  std::string_view position;
  std::string request;
  std::string bytes;
  Seen end = Seen::fin;
};

class connection_position : public testing::TestWithParam<Accepting> {};

TEST_P(connection_position, is_what_the_kernel_sees) {
  const Accepting& cell = GetParam();
  Running running(fmt::format(R"({{"name": "t", "connections": [{}],
      "routes": [{{"on": "* /", "script": [200]}}]}})",
                              cell.position));
  RawClient client(running.url());
  client.send(cell.request);
  const Received received = client.receive_all(cell.end == Seen::nothing);
  EXPECT_EQ(received.bytes, cell.bytes);
  EXPECT_EQ(received.end, cell.end);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  EXPECT_TRUE(run.attempts.empty());
  ASSERT_EQ(run.connections.size(), 1u);
  EXPECT_FALSE(run.connections[0].planned_faults.empty());
  EXPECT_TRUE(run.connections[0].faults_delivered);
}

std::string cutting(std::string_view effect, std::string_view moment, std::string_view read = "") {
  const std::string more = read.empty() ? "" : fmt::format(R"(, "read": "{}")", read);
  return fmt::format(R"({{"fault": {{"do": "{}", "at": "{}"{}}}}})", effect, moment, more);
}

const std::string kCloseAtAccept = cutting("close", "accept");
const std::string kHalfCloseAtAccept = cutting("half_close", "accept");
const std::string kResetAtAccept = cutting("reset", "accept");
const std::string kStallAtAccept = cutting("stall", "accept");
const std::string kCloseAtStart = cutting("close", "request_start");
const std::string kResetAtStart = cutting("reset", "request_start");
const std::string kStallAtStart = cutting("stall", "request_start");
const std::string kCloseAfterHead = cutting("close", "request_start", "head");
const std::string kResetAfterAll = cutting("reset", "request_start", "all");

INSTANTIATE_TEST_SUITE_P(
    table, connection_position,
    testing::Values(Accepting{"close_at_accept", kCloseAtAccept, "", ""},
                    Accepting{"reset_at_accept", kResetAtAccept, "", "", Seen::rst},
                    Accepting{"stall_at_accept", kStallAtAccept, kGet, "", Seen::nothing},
                    Accepting{"close_at_request_start", kCloseAtStart, "G", ""},
                    Accepting{"reset_at_request_start", kResetAtStart, "G", "", Seen::rst},
                    Accepting{"stall_at_request_start", kStallAtStart, kGet, "", Seen::nothing},
                    Accepting{"close_after_the_head", kCloseAfterHead, kPost, ""},
                    Accepting{"reset_after_the_request", kResetAfterAll, kPost, "", Seen::rst},
                    Accepting{"accept_and_hang", R"({"accept_and_hang": "1h"})", kGet, "",
                              Seen::nothing}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(connection_position_after_the_head, waits_for_the_head) {
  Running running(fmt::format(R"({{"name": "t", "connections": [{}],
      "routes": [{{"on": "* /", "script": [200]}}]}})",
                              kCloseAfterHead));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\n");
  EXPECT_TRUE(client.silent());
  client.send("Content-Length: 4\r\n\r\n");
  EXPECT_EQ(client.receive_all().end, Seen::fin);
}

TEST(half_close_at_accept, still_reads_the_request_and_never_answers) {
  Running running(fmt::format(R"({{"name": "t", "connections": [{}],
      "routes": [{{"on": "* /", "script": [200]}}]}})",
                              kHalfCloseAtAccept));
  RawClient client(running.url());
  EXPECT_EQ(client.receive_all().end, Seen::fin);
}

// ---- The listener ------------------------------------------------------------------------

TEST(refuse_in_connections, closes_the_port_for_its_time_and_keeps_it) {
  Running running(R"({"name": "t", "connections": [{}, {"refuse": "100ms"}, {}],
      "routes": [{"on": "* /", "script": [200]}]})");
  RawClient first(running.url());
  first.send(kGet);
  EXPECT_THAT(first.answer(), StartsWith(kOk)) << "the window touches no connection that stands";
  EXPECT_FALSE(RawClient::can_connect(running.url()));
  int tries = 1;
  while (!RawClient::can_connect(running.url())) ++tries;
  EXPECT_GT(tries, 1);
  RawClient last(running.url());
  last.send(kGet);
  EXPECT_THAT(last.answer(), StartsWith(kOk));
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.pauses.size(), 1u);
  EXPECT_EQ(run.pauses[0].why, "refused by connections");
  EXPECT_EQ(run.pauses[0].until - run.pauses[0].from, std::chrono::milliseconds(100));
  ASSERT_EQ(run.connections.size(), 3u);
  EXPECT_GE(run.connections[1].accepted, run.pauses[0].until) << "never early";
}

TEST(refuse_by_the_clock, begins_when_the_run_is_ready) {
  Running running(R"({"name": "t", "clock": "ready",
      "outages": [{"until": "100ms", "do": "refuse"}],
      "routes": [{"on": "* /", "script": [200]}]})");
  EXPECT_FALSE(RawClient::can_connect(running.url()));
  while (!RawClient::can_connect(running.url())) {
  }
  RawClient last(running.url());
  last.send(kGet);
  EXPECT_THAT(last.answer(), StartsWith(kOk));
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.connections.size(), 2u);
  EXPECT_GE(run.connections[0].accepted, Instant(std::chrono::milliseconds(100)));
  EXPECT_EQ(run.pauses.at(0).why, "refused by an outage");
}

// ---- Framing -----------------------------------------------------------------------------

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
  EXPECT_LE(client.receive_once().bytes.size(), kHead.size() + 60);
  EXPECT_THAT(client.answer(), EndsWith("hello"));
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

// ---- Keep-alive --------------------------------------------------------------------------

TEST(keep_alive, announces_its_last_answer_or_ends_silently) {
  for (const bool announced : {true, false}) {
    Running running(fmt::format(R"({{"name": "t",
        "keep_alive": {{"requests": 2, "announced": {}}},
        "routes": [{{"on": "* /", "script": [200]}}]}})",
                                announced));
    RawClient client(running.url());
    client.send(kGet);
    EXPECT_THAT(client.answer(), testing::Not(HasSubstr("Connection: close")));
    client.send(kGet);
    const Received received = client.receive_all();
    EXPECT_EQ(received.bytes.find("Connection: close") != std::string::npos, announced);
    EXPECT_EQ(received.end, Seen::fin);
  }
}

TEST(keep_alive, ends_an_idle_connection_exactly_in_time) {
  Running running(R"({"name": "t", "keep_alive": {"idle": "30ms"},
      "routes": [{"on": "* /", "script": [200]}]})");
  RawClient idle(running.url());
  RawClient used(running.url());
  used.send(kGet);
  used.answer();
  EXPECT_EQ(idle.receive_all().end, Seen::fin);
  EXPECT_EQ(used.receive_all().end, Seen::fin);
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  const std::chrono::milliseconds limit(30);
  EXPECT_GE(*run.connections[0].closed - run.connections[0].accepted, limit);
  EXPECT_GE(*run.connections[1].closed - *run.attempts[0].delivered.ended, limit);
  EXPECT_TRUE(run.connections[0].faults_delivered) << "a limit is no fault";
}

// ---- What the journal says ---------------------------------------------------------------

TEST(body_that_is_refused_midway, is_one_attempt) {
  Running running(scenario_of("200"));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n");
  EXPECT_THAT(client.receive_all().bytes, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_EQ(run.attempts[0].planned.source, journal::Source::malformed);
}

TEST(client_that_closes_right_behind_its_request, is_not_held_by_a_stall) {
  Running running(scenario_of(doing("stall", R"("response_start")")));
  RawClient client(running.url());
  client.send(kGet);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_TRUE(run.attempts[0].delivered.peer_left);
}

TEST(tls_on_the_plain_port, is_told_apart_from_other_nonsense) {
  Running running(scenario_of("200"));
  RawClient client(running.url());
  client.send(std::string("\x16\x03\x01\x02\x00\x01\x00", 7));
  EXPECT_THAT(client.receive_all().bytes, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  const journal::Run run = running.run->stop();
  EXPECT_EQ(run.attempts.at(0).planned.note, "a TLS handshake; this port speaks plain HTTP");
}

// The half-closed side says nothing more, whatever the request; that is the server's doing.
TEST(half_close_at_accept, is_no_leaving_of_the_client) {
  Running running(fmt::format(R"({{"name": "t", "connections": [{}],
      "routes": [{{"on": "* /", "script": [200]}}]}})",
                              kHalfCloseAtAccept));
  RawClient client(running.url());
  EXPECT_EQ(client.receive_all().end, Seen::fin);
  client.send(kGet);
  EXPECT_EQ(client.receive_all(true).bytes, "");
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_FALSE(run.attempts[0].planned.complete);
  EXPECT_EQ(run.attempts[0].delivered.ending, journal::Ending::delivered);
}

TEST(pipelined_request, is_served_although_the_connection_may_idle) {
  Running running(R"({"name": "t", "keep_alive": {"idle": "1h"},
      "routes": [{"on": "* /", "script": [200]}]})");
  RawClient client(running.url());
  client.send(kGet + kGet);
  EXPECT_THAT(client.answer(), StartsWith(kOk));
  EXPECT_THAT(client.answer(), StartsWith(kOk));
}

TEST(limit_of_connections, is_in_the_journal) {
  Running running(R"({"name": "t", "limits": {"connections": 1},
      "routes": [{"on": "* /", "script": [200]}]})");
  RawClient first(running.url());
  first.send(kGet);
  first.answer();
  RawClient second(running.url());
  second.send(kGet);
  EXPECT_TRUE(second.silent());
  first.close();
  EXPECT_THAT(second.answer(), StartsWith(kOk));
  second.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.pauses.size(), 1u);
  EXPECT_EQ(run.pauses[0].why, "the limit of connections is reached");
}

}  // namespace
}  // namespace retrylab::runs
