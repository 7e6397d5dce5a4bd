// SPDX-License-Identifier: MIT
// The request parser alone, fed at every fragment size. Each row is what is sent and what is
// made of it, as one line of text.
#include "server/net/request_parser.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace retrylab::net {
namespace {

constexpr std::size_t kFragments[] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 31, 1'000'000};

// Feeds everything, as a connection would, and tells what came out.
std::string dump(std::string_view bytes, std::size_t fragment, ParserLimits limits = {}) {
  RequestParser parser(limits);
  std::string out;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    std::string_view piece = rest.substr(0, fragment);
    const std::size_t taken = parser.feed(piece);
    rest.remove_prefix(taken);
    if (parser.state() == RequestParser::State::refused) {
      return out + std::to_string(parser.status());
    }
    if (parser.state() != RequestParser::State::complete) continue;
    const wire::RequestHead head = parser.head();
    out += std::string(head.method) + " " + std::string(head.target) + " 1." +
           std::to_string(head.minor_version);
    for (const auto& header : head.headers) {
      out += " [" + std::string(header.name) + "=" + std::string(header.value) + "]";
    }
    if (head.content_length) out += " length " + std::to_string(*head.content_length);
    if (head.chunked) out += " chunked";
    if (!head.keep_alive) out += " close";
    if (head.expects_continue) out += " expects";
    out += " body '" + std::string(parser.body()) + "'\n";
    EXPECT_EQ(head.raw.substr(head.raw.size() - 4), "\r\n\r\n");
    EXPECT_EQ(head.raw.substr(0, head.method.size()), head.method);
    parser.reset();
  }
  return out + (parser.untouched() ? "" : "unfinished");
}

struct Row {
  const char* name;
  std::string sent;
  std::string expected;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

class RequestParserTable : public testing::TestWithParam<Row> {};

TEST_P(RequestParserTable, reads_the_same_at_every_fragment_size) {
  for (const std::size_t fragment : kFragments) {
    EXPECT_EQ(dump(GetParam().sent, fragment), GetParam().expected) << "fragments of " << fragment;
  }
}

const Row kGood[] = {
    {"plain", "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a?b=c 1.1 [Host=x] body ''\n"},
    {"header_case_and_order_kept", "GET / HTTP/1.1\r\nhOST: x\r\nB: 2\r\nA: 1\r\nB:3\r\n\r\n",
     "GET / 1.1 [hOST=x] [B=2] [A=1] [B=3] body ''\n"},
    {"blanks_around_values_trimmed", "GET / HTTP/1.1\r\nHost: x\r\nA: \t b c \t \r\n\r\n",
     "GET / 1.1 [Host=x] [A=b c] body ''\n"},
    {"empty_values", "GET / HTTP/1.1\r\nA:\r\nHost: x\r\nB: \r\nC:\r\n\r\n",
     "GET / 1.1 [A=] [Host=x] [B=] [C=] body ''\n"},
    {"length_body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
     "POST / 1.1 [Host=x] [Content-Length=5] length 5 body 'hello'\n"},
    {"length_zero", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
     "POST / 1.1 [Host=x] [Content-Length=0] length 0 body ''\n"},
    {"chunked_body",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
     "4\r\nhell\r\n1;ext=1\r\no\r\n0\r\nTrailer: t\r\n\r\n",
     "POST / 1.1 [Host=x] [Transfer-Encoding=chunked] chunked body 'hello'\n"},
    {"expect", "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nab",
     "PUT / 1.1 [Host=x] [Expect=100-Continue] [Content-Length=2] length 2 expects body 'ab'\n"},
    {"expect_of_http_1_0", "PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab",
     "PUT / 1.0 [Expect=100-continue] [Content-Length=2] length 2 close body 'ab'\n"},
    {"close", "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
     "GET / 1.1 [Host=x] [Connection=close] close body ''\n"},
    {"http_1_0", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0 close body ''\n"},
    {"http_1_0_keep_alive", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
     "GET / 1.0 [Connection=keep-alive] body ''\n"},
    {"absolute_form", "GET http://h:1/p?q HTTP/1.1\r\nHost: h:1\r\n\r\n",
     "GET http://h:1/p?q 1.1 [Host=h:1] body ''\n"},
    {"asterisk", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * 1.1 [Host=x] body ''\n"},
    {"blank_lines_before", "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
     "GET / 1.1 [Host=x] body ''\n"},
    {"upgrade_is_an_ordinary_request",
     "POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: "
     "1\r\n\r\na",
     "POST / 1.1 [Host=x] [Connection=Upgrade] [Upgrade=h2c] [Content-Length=1] length 1 body "
     "'a'\n"},
    {"pipelined",
     "POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nabGET /2 HTTP/1.1\r\nHost: x\r\n\r\n"
     "GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
     "POST /1 1.1 [Host=x] [Content-Length=2] length 2 body 'ab'\n"
     "GET /2 1.1 [Host=x] body ''\n"
     "GET /3 1.1 [Host=x] [Connection=close] close body ''\n"},
    {"unfinished_head", "GET / HTTP/1.1\r\nHost: x\r\n", "unfinished"},
    {"nothing_but_blank_lines", "\r\n\r\n", ""},
};

const Row kRefused[] = {
    {"garbage", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "400"},
    {"bare_lf", "GET / HTTP/1.1\nHost: x\n\n", "400"},
    {"bare_lf_after_header", "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", "400"},
    {"length_with_chunked",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
     "400"},
    {"chunked_with_length",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
     "400"},
    {"two_lengths",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "400"},
    {"bad_length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5a\r\n\r\n", "400"},
    {"negative_length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400"},
    {"length_beyond_64_bits",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"},
    {"blank_before_colon", "GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n", "400"},
    {"folded_line", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", "400"},
    {"nul_in_value", std::string("GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", 35), "400"},
    {"no_host", "GET / HTTP/1.1\r\n\r\n", "400"},
    {"two_hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "400"},
    {"no_version", "GET /\r\n\r\n", "505"},
    {"blank_in_target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
    {"no_target", "GET HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
    {"bad_chunk_size",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhell\r\n", "400"},
    {"chunk_size_of_2_to_63",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n", "400"},
    {"chunk_size_of_2_to_64",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n",
     "400"},
    {"chunk_size_over_the_limit",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", "413"},
    {"chunk_longer_than_its_size",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n",
     "400"},
    {"chunked_not_last", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
     "400"},
    {"unknown_method", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", "501"},
    {"lower_case_method", "get / HTTP/1.1\r\nHost: x\r\n\r\n", "501"},
    {"not_a_method", "G@T / HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
    {"unknown_transfer_coding",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501"},
    {"http_2_0", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", "505"},
    {"http_1_2", "GET / HTTP/1.2\r\nHost: x\r\n\r\n", "505"},
    {"http_0_9", "GET / HTTP/0.9\r\n\r\n", "505"},
    {"http_2_preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"},
    {"not_a_version", "GET / HTTP/x\r\nHost: x\r\n\r\n", "400"},
    {"second_of_two", "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nBREW / HTTP/1.1\r\nHost: x\r\n\r\n",
     "GET /1 1.1 [Host=x] body ''\n501"},
};

std::string row_name(const testing::TestParamInfo<Row>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(accepts, RequestParserTable, testing::ValuesIn(kGood), row_name);
INSTANTIATE_TEST_SUITE_P(refuses, RequestParserTable, testing::ValuesIn(kRefused), row_name);

std::string with_header_of(std::size_t size) {
  return "GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(size, 'a') + "\r\n\r\n";
}

TEST(RequestParser, head_of_exactly_the_limit_passes_and_one_byte_more_does_not) {
  const std::size_t overhead = with_header_of(0).size();
  for (const std::size_t fragment : kFragments) {
    const ParserLimits limits{.head_bytes = 200};
    EXPECT_EQ(dump(with_header_of(200 - overhead), fragment, limits).substr(0, 3), "GET");
    EXPECT_EQ(dump(with_header_of(201 - overhead), fragment, limits), "431");
  }
}

TEST(RequestParser, request_line_over_the_limit_is_414) {
  for (const std::size_t fragment : kFragments) {
    EXPECT_EQ(dump("GET /" + std::string(300, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n", fragment,
                   {.head_bytes = 200}),
              "414");
  }
}

TEST(RequestParser, body_over_the_limit_is_413_by_length_and_by_count) {
  const ParserLimits limits{.body_bytes = 8};
  for (const std::size_t fragment : kFragments) {
    EXPECT_EQ(dump("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", fragment, limits),
              "413");
    EXPECT_EQ(dump("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                   "5\r\nhello\r\n4\r\nhell\r\n0\r\n\r\n",
                   fragment, limits),
              "413");
  }
}

// A request whose chunk has a line of that many bytes, and whose trailers have as many.
std::string chunked_with(std::size_t chunk_line, std::size_t trailers) {
  const std::string line = "5;" + std::string(chunk_line - 4, 'x') + "\r\n";
  const std::string last = "\r\n0\r\nA:" + std::string(trailers - 11, 'a') + "\r\n\r\n";
  return "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + line + "hello" + last;
}

TEST(RequestParser, what_frames_a_chunked_body_is_bounded_as_a_head_is) {
  const ParserLimits limits{.head_bytes = 200};
  for (const std::size_t fragment : kFragments) {
    EXPECT_EQ(dump(chunked_with(200, 200), fragment, limits).substr(0, 3), "PUT");
    EXPECT_EQ(dump(chunked_with(201, 20), fragment, limits), "400");
    EXPECT_EQ(dump(chunked_with(20, 201), fragment, limits), "431");
    EXPECT_EQ(dump("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" +
                       std::string(300, '0'),
                   fragment, limits),
              "400");
  }
}

TEST(RequestParser, many_small_chunks_are_no_long_frame) {
  std::string sent = "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 100; ++i) sent += "1\r\na\r\n";
  EXPECT_EQ(dump(sent + "0\r\n\r\n", 7, {.head_bytes = 100}).substr(0, 3), "PUT");
}

TEST(RequestParser, stops_at_the_end_of_the_head_when_a_body_follows) {
  RequestParser parser{ParserLimits{}};
  const std::string_view bytes = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab";
  EXPECT_EQ(parser.feed(bytes), bytes.size() - 2);
  EXPECT_EQ(parser.state(), RequestParser::State::body);
  EXPECT_EQ(parser.feed("ab"), 2u);
  EXPECT_EQ(parser.state(), RequestParser::State::complete);
}

TEST(RequestParser, discarded_body_is_not_kept_and_has_no_limit) {
  RequestParser parser{ParserLimits{.body_bytes = 8}};
  parser.feed("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  parser.feed("5\r\nhello\r\n");
  parser.discard_body();
  parser.feed("5\r\nhello\r\n0\r\n\r\n");
  EXPECT_EQ(parser.state(), RequestParser::State::complete);
  EXPECT_EQ(parser.body(), "");
}

TEST(RequestParser, refused_keeps_the_beginning_of_what_came) {
  RequestParser parser{ParserLimits{}};
  parser.feed("BREW /tea HTTP/1.1\r\n");
  EXPECT_EQ(parser.raw(), "BREW /tea HTTP/1.1\r\n");
  EXPECT_FALSE(parser.problem().empty());
}

}  // namespace
}  // namespace retrylab::net
