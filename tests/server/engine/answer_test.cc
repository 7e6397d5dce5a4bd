// SPDX-License-Identifier: MIT
// The bytes of answers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kDate = "Date: Mon, 30 Nov 2026 12:00:00 GMT\r\n";

const std::string kText = "Content-Type: text/plain; charset=utf-8\r\n";

struct BytesCase {
  std::string_view name;
  std::string_view step;
  SimpleRequest request;
  std::string bytes;
  std::string_view last;  // action
};

SimpleRequest request(std::string method, int minor_version = 1, bool keep_alive = true) {
  SimpleRequest one;
  one.method = std::move(method);
  one.minor_version = minor_version;
  one.keep_alive = keep_alive;
  return one;
}

class answer : public testing::TestWithParam<BytesCase> {};

TEST_P(answer, is_written_byte_by_byte) {
  ServerUnderTest server(
      fmt::format(R"("routes": [ {{"on": "* /", "script": [{}]}} ])", GetParam().step));
  const auto exchange = server.send(GetParam().request);
  EXPECT_EQ(exchange.bytes(), GetParam().bytes);
  EXPECT_EQ(exchange.lines().back(), GetParam().last);
}

std::string message(std::string_view status, std::string_view rest) {
  return fmt::format("HTTP/1.1 {}\r\n{}{}", status, kDate, rest);
}

INSTANTIATE_TEST_SUITE_P(
    table, answer,
    testing::Values(
        BytesCase{"status_alone", "201", request("GET"),
                  message("201 Created", "Content-Length: 0\r\n\r\n"), "keep_alive"},
        BytesCase{"unknown_status_without_a_phrase", "599", request("GET"),
                  message("599 ", "Content-Length: 0\r\n\r\n"), "keep_alive"},
        BytesCase{"reason_and_body", R"({"status": 200, "reason": "Fine", "body": "hello"})",
                  request("GET"), message("200 Fine", kText + "Content-Length: 5\r\n\r\nhello"),
                  "keep_alive"},
        BytesCase{"json", R"({"status": 200, "json": {"a": [1, "x"]}})", request("GET"),
                  message("200 OK",
                          "Content-Type: application/json\r\nContent-Length: 13\r\n\r\n"
                          "{\"a\":[1,\"x\"]}"),
                  "keep_alive"},
        BytesCase{"headers_in_order_and_case",
                  R"({"status": 200, "headers": [["x-B", "1"], ["X-a", "2"], ["x-B", "3"]]})",
                  request("GET"),
                  message("200 OK", "x-B: 1\r\nX-a: 2\r\nx-B: 3\r\nContent-Length: 0\r\n\r\n"),
                  "keep_alive"},
        BytesCase{"an_own_date_stands_alone", R"({"status": 200, "headers": {"date": "never"}})",
                  request("GET"), "HTTP/1.1 200 OK\r\ndate: never\r\nContent-Length: 0\r\n\r\n",
                  "keep_alive"},
        BytesCase{"head_has_the_length_but_no_body", R"({"status": 200, "body": "hello"})",
                  request("HEAD"), message("200 OK", kText + "Content-Length: 5\r\n\r\n"),
                  "keep_alive"},
        BytesCase{"no_content_has_no_length", "204", request("GET"),
                  message("204 No Content", "\r\n"), "keep_alive"},
        BytesCase{"not_modified_has_no_length", "304", request("GET"),
                  message("304 Not Modified", "\r\n"), "keep_alive"},
        BytesCase{"a_client_that_wants_to_close", "200", request("GET", 1, false),
                  message("200 OK", "Content-Length: 0\r\nConnection: close\r\n\r\n"),
                  "close staged"},
        BytesCase{"http_1_0", "200", request("GET", 0, false),
                  message("200 OK", "Content-Length: 0\r\nConnection: close\r\n\r\n"),
                  "close staged"},
        BytesCase{"http_1_0_with_keep_alive", "200", request("GET", 0, true),
                  message("200 OK", "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n"),
                  "keep_alive"},
        BytesCase{"a_scripted_close_really_closes",
                  R"({"status": 200, "headers": {"Connection": "close"}})", request("GET"),
                  message("200 OK", "Connection: close\r\nContent-Length: 0\r\n\r\n"),
                  "close staged"},
        BytesCase{
            "chunked", R"({"status": 200, "body": "hello world", "framing": "chunked",
                                 "chunks": [1, 4]})",
            request("GET"),
            message("200 OK", kText + "Transfer-Encoding: chunked\r\n\r\n"
                                      "1\r\nh\r\n4\r\nello\r\n4\r\n wor\r\n2\r\nld\r\n0\r\n\r\n"),
            "keep_alive"},
        BytesCase{"chunked_to_http_1_0_ends_by_close",
                  R"({"status": 200, "body": "hello", "framing": "chunked"})",
                  request("GET", 0, true),
                  message("200 OK", kText + "Connection: close\r\n\r\nhello"), "close staged"},
        BytesCase{"close_delimited", R"({"status": 200, "body": "hello", "framing": "close"})",
                  request("GET"), message("200 OK", kText + "Connection: close\r\n\r\nhello"),
                  "close staged"},
        BytesCase{"retry_after_is_rounded_up", R"({"status": 503, "retry_after": "1500ms"})",
                  request("GET"),
                  message("503 Service Unavailable", "Retry-After: 2\r\nContent-Length: 0\r\n\r\n"),
                  "keep_alive"},
        BytesCase{"retry_after_zero", R"({"status": 503, "retry_after": "0s"})", request("GET"),
                  message("503 Service Unavailable", "Retry-After: 0\r\nContent-Length: 0\r\n\r\n"),
                  "keep_alive"},
        BytesCase{"retry_after_date_is_rounded_up",
                  R"({"status": 503, "retry_after": {"date": "+4100ms"}})", request("GET"),
                  message("503 Service Unavailable",
                          "Retry-After: Mon, 30 Nov 2026 12:00:05 GMT\r\n"
                          "Content-Length: 0\r\n\r\n"),
                  "keep_alive"},
        BytesCase{"retry_after_date_in_the_past",
                  R"({"status": 503, "retry_after": {"date": "-60s", "format": "rfc850"}})",
                  request("GET"),
                  message("503 Service Unavailable",
                          "Retry-After: Monday, 30-Nov-26 11:59:00 GMT\r\n"
                          "Content-Length: 0\r\n\r\n"),
                  "keep_alive"},
        BytesCase{"retry_after_asctime",
                  R"({"status": 503, "retry_after": {"date": "+1s", "format": "asctime"}})",
                  request("GET"),
                  message("503 Service Unavailable",
                          "Retry-After: Mon Nov 30 12:00:01 2026\r\nContent-Length: 0\r\n\r\n"),
                  "keep_alive"}),
    CaseName());

TEST(answer_dates, count_from_the_start_of_the_answer) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 503, "delay": "10s", "retry_after": {"date": "+5s"}} ]} ])");
  const auto exchange = server.send(get("/"));
  EXPECT_THAT(exchange.bytes(), HasSubstr("Date: Mon, 30 Nov 2026 12:00:10 GMT"));
  EXPECT_THAT(exchange.bytes(), HasSubstr("Retry-After: Mon, 30 Nov 2026 12:00:15 GMT"));
}

TEST(answer_record, tells_what_the_client_can_see) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 307, "retry_after": "3s", "delay": "1s",
       "headers": [["Location", "/b"], ["x-should-retry", "false"], ["Connection", "close"]]},
      {"status": 503, "headers": [["Retry-After", "1"], ["retry-after", "soon"]]} ]} ])");
  server.deliver(server.send(get("/")));
  const journal::Planned first = server.attempt(1).planned;
  EXPECT_EQ(first.source, journal::Source::script);
  EXPECT_EQ(first.route, "GET /");
  EXPECT_EQ(first.step, "/routes/0/script/0");
  EXPECT_EQ(first.status, 307);
  EXPECT_EQ(first.delay, 1s);
  EXPECT_EQ(first.location, "/b");
  EXPECT_THAT(first.retry_after, ElementsAre("3"));
  EXPECT_TRUE(first.complete);
  EXPECT_TRUE(first.connection_close);
  EXPECT_TRUE(first.should_retry_false);
  server.deliver(server.send(get("/")));
  EXPECT_THAT(server.attempt(2).planned.retry_after, ElementsAre("1", "soon"));
  EXPECT_FALSE(server.attempt(2).planned.connection_close);
}

TEST(placeholders, are_filled_in_headers_and_bodies) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /p/{x}", "creates": "payment", "script": [
      {"status": 201, "headers": {"X-Echo": "{{request.header.X-In}}",
                                  "X-Reset": "{{now+60s|epoch}}"},
       "body": "{{attempt}} {{request.method}} {{request.path}} {{request.query.q}} {{request.body}} {{run.url}} {{now+1s|imf}} {{resource.id}}"} ]} ])");
  SimpleRequest request = post("/p/1?q=a%20b+c", "", "raw");
  request.headers.push_back({"X-In", "in"});
  const auto exchange = server.send(request);
  server.deliver(exchange);
  const std::string id = server.attempt(1).resource;
  EXPECT_THAT(id, testing::MatchesRegex("payment_[0-9a-f]{16}"));
  EXPECT_THAT(exchange.bytes(), HasSubstr("X-Echo: in\r\n"));
  EXPECT_THAT(exchange.bytes(), HasSubstr("X-Reset: 1796040060\r\n"));
  EXPECT_THAT(exchange.bytes(), EndsWith("1 POST /p/1 a b c raw http://localhost:1 "
                                         "Mon, 30 Nov 2026 12:00:01 GMT " +
                                         id));
}

TEST(placeholders, cannot_add_header_lines) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 200, "headers": {"X-Echo": "{{request.query.q}}"}} ]} ])");
  const auto exchange = server.send(get("/?q=a%0d%0aX-Evil:%201"));
  EXPECT_THAT(exchange.bytes(), HasSubstr("X-Echo: a  X-Evil: 1\r\n"));
}

TEST(placeholders, are_escaped_inside_json) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [
      {"status": 200, "json": {"was": "{{request.body}}"}} ]} ])");
  const auto exchange = server.send(post("/", "", "{\"a\":\n1}"));
  EXPECT_THAT(exchange.bytes(), EndsWith(R"({"was":"{\"a\":\u000a1}"})"));
}

TEST(expect_continue, is_answered_before_the_body_is_read) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [201]} ])");
  SimpleRequest request = post("/");
  request.headers.push_back({"Expect", "100-continue"});
  const Answer answer = server.head(request);
  EXPECT_THAT(lines_of(answer.plan), ElementsAre("write HTTP/1.1 100 Continue", "read body_end"));
  EXPECT_THAT(lines_of(server.body(answer.attempt, "{}")),
              ElementsAre("write HTTP/1.1 201 Created (head)", "keep_alive"));
}

TEST(expect_continue, is_not_sent_for_a_request_without_a_body) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [201]} ])");
  SimpleRequest request = post("/", "", "");
  request.headers.push_back({"Expect", "100-continue"});
  EXPECT_THAT(server.send(request).bytes(), Not(HasSubstr("100 Continue")));
}

TEST(malformed, is_journalled_answered_and_closed) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [201]} ])");
  HeadEvent event;
  event.connection = 2;
  event.head.raw = "rubbish\r\n";
  const Answer answer = server.engine().malformed(event, 431, "the head is too long", server.now);
  EXPECT_THAT(
      lines_of(answer.plan),
      ElementsAre("write HTTP/1.1 431 Request Header Fields Too Large (head)", "close staged"));
  const journal::Attempt attempt = server.attempt(answer.attempt);
  EXPECT_EQ(attempt.planned.source, journal::Source::malformed);
  EXPECT_EQ(attempt.planned.status, 431);
  EXPECT_EQ(attempt.planned.note, "the head is too long");
  EXPECT_EQ(attempt.head, "rubbish\r\n");
  EXPECT_TRUE(attempt.planned.connection_close);
}

}  // namespace
}  // namespace retrylab::engine
