// SPDX-License-Identifier: MIT
// Bodies coded with gzip, and parts of bodies.
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/gunzip.h"
#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string body_of(const std::string& answer) {
  return answer.substr(answer.find("\r\n\r\n") + 4);
}

std::string serving(std::string_view members) {
  return fmt::format(
      R"("routes": [ {{"on": "* /", "script": [ {{"status": 200, "body": "hello hello", {}}} ]}} ])",
      members);
}

TEST(gzip, is_what_decoders_read) {
  ServerUnderTest server(serving(R"("encoding": "gzip")"));
  const auto exchange = server.send(get("/"));
  EXPECT_THAT(exchange.bytes(), HasSubstr("Content-Encoding: gzip\r\n"));
  const Unzipped decoded = gunzip(body_of(exchange.bytes()));
  EXPECT_TRUE(decoded.whole);
  EXPECT_EQ(decoded.text, "hello hello");
  server.deliver(exchange);
  EXPECT_TRUE(server.attempt(1).planned.complete);
}

struct Flawed {
  std::string_view name;
  std::string_view encoding;
  std::string_view text;  // what a careless decoder gets
  std::string_view fault;
};

class flawed_gzip : public testing::TestWithParam<Flawed> {};

TEST_P(flawed_gzip, has_the_right_length_and_is_refused_by_decoders) {
  ServerUnderTest server(serving(fmt::format(R"("encoding": {})", GetParam().encoding)));
  const auto exchange = server.send(get("/"));
  const std::string body = body_of(exchange.bytes());
  EXPECT_THAT(exchange.bytes(), HasSubstr(fmt::format("Content-Length: {}\r\n", body.size())));
  const Unzipped decoded = gunzip(body);
  EXPECT_FALSE(decoded.whole);
  EXPECT_EQ(decoded.text, GetParam().text);
  server.deliver(exchange);
  EXPECT_FALSE(server.attempt(1).planned.complete);
  EXPECT_THAT(server.attempt(1).planned.faults, testing::ElementsAre(GetParam().fault));
}

INSTANTIATE_TEST_SUITE_P(
    flaws, flawed_gzip,
    testing::Values(Flawed{"cut", R"({"gzip": "cut"})", "hello hello", "cut at encoding"},
                    Flawed{"cut_to_nothing", R"({"gzip": {"cut": 1000}})", "", "cut at encoding"},
                    Flawed{"corrupt", R"({"gzip": "corrupt"})", "hello hello",
                           "corrupt at encoding"}),
    CaseName());

struct Part {
  std::string_view name;
  std::string_view ranges;
  Headers headers;
  int status;
  std::string_view content_range;  // "" : none
  std::string_view body;
};

class part_of_a_body : public testing::TestWithParam<Part> {};

TEST_P(part_of_a_body, is_sent_as_the_step_says) {
  const Part& part = GetParam();
  ServerUnderTest server(
      serving(fmt::format(R"("ranges": "{}", "headers": {{"ETag": "\"a\""}})", part.ranges)));
  SimpleRequest request = get("/");
  request.headers = part.headers;
  const auto exchange = server.send(request);
  EXPECT_EQ(exchange.status(), part.status);
  EXPECT_EQ(body_of(exchange.bytes()), part.body);
  if (part.content_range.empty()) {
    EXPECT_THAT(exchange.bytes(), Not(HasSubstr("Content-Range")));
  } else {
    EXPECT_THAT(exchange.bytes(),
                HasSubstr(fmt::format("Content-Range: {}\r\n", part.content_range)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    table, part_of_a_body,
    testing::Values(
        Part{"no_range", "honoured", {}, 200, "", "hello hello"},
        Part{"from_to", "honoured", {{"Range", "bytes=2-4"}}, 206, "bytes 2-4/11", "llo"},
        Part{"from", "honoured", {{"Range", "bytes=6-"}}, 206, "bytes 6-10/11", "hello"},
        Part{"last", "honoured", {{"Range", "bytes=-3"}}, 206, "bytes 8-10/11", "llo"},
        Part{"to_beyond", "honoured", {{"Range", "bytes=6-99"}}, 206, "bytes 6-10/11", "hello"},
        Part{"beyond", "honoured", {{"Range", "bytes=11-"}}, 416, "bytes */11", ""},
        Part{"several", "honoured", {{"Range", "bytes=0-1,3-4"}}, 200, "", "hello hello"},
        Part{"nonsense", "honoured", {{"Range", "bytes=4-2"}}, 200, "", "hello hello"},
        Part{"same_etag",
             "honoured",
             {{"Range", "bytes=6-"}, {"If-Range", "\"a\""}},
             206,
             "bytes 6-10/11",
             "hello"},
        Part{"other_etag",
             "honoured",
             {{"Range", "bytes=6-"}, {"If-Range", "\"b\""}},
             200,
             "",
             "hello hello"},
        Part{"ignored", "ignored", {{"Range", "bytes=6-"}}, 200, "", "hello hello"},
        Part{"wrong", "wrong", {{"Range", "bytes=2-4"}}, 206, "bytes 3-5/11", "llo"},
        Part{"unknown_size", "unknown_size", {{"Range", "bytes=2-4"}}, 206, "bytes 2-4/*", "llo"},
        Part{"too_much", "too_much", {{"Range", "bytes=2-4"}}, 206, "bytes 2-4/11", "hello hello"}),
    CaseName());

}  // namespace
}  // namespace retrylab::engine
