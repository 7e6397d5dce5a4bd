// SPDX-License-Identifier: MIT
#include "server/sim/response_reader.h"

#include <array>

#include <gtest/gtest.h>

namespace retrylab::sim {
namespace {

constexpr std::array<std::size_t, 11> kFragments{1, 2, 3, 4, 5, 6, 7, 8, 16, 31, 100'000};

enum class End { open, fin, rst };

struct ReaderCase {
  std::string_view name;
  std::string_view bytes;
  End end = End::open;
  std::string_view outcome;  // "200 body", a failure's word, or "" for none yet
  bool keeps_alive = false;
  bool to_head = false;
};

std::string text_of(const std::optional<Outcome>& outcome) {
  if (!outcome) return "";
  if (!outcome->answered()) return std::string(word(outcome->failure));
  const std::string body = outcome->response.body;
  return std::to_string(outcome->response.status) + (body.empty() ? "" : " " + body);
}

class response_reader : public testing::TestWithParam<ReaderCase> {};

TEST_P(response_reader, gives_the_outcome_at_every_fragment_size) {
  const ReaderCase& row = GetParam();
  for (const std::size_t fragment : kFragments) {
    ResponseReader reader(row.to_head);
    std::optional<Outcome> outcome;
    for (std::size_t at = 0; at < row.bytes.size(); at += fragment) {
      auto next = reader.bytes(row.bytes.substr(at, fragment));
      if (next) outcome = std::move(next);
    }
    if (!outcome && row.end == End::fin) outcome = reader.closed();
    if (!outcome && row.end == End::rst) outcome = reader.reset();
    EXPECT_EQ(text_of(outcome), row.outcome) << "fragments of " << fragment;
    EXPECT_EQ(reader.keeps_alive(), row.keeps_alive) << "fragments of " << fragment;
  }
}

INSTANTIATE_TEST_SUITE_P(
    table, response_reader,
    testing::Values(
        ReaderCase{"content_length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", End::open,
                   "200 hi", true},
        ReaderCase{
            "chunked",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n",
            End::open, "200 hi", true},
        ReaderCase{"close_delimited", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi", End::fin,
                   "200 hi", false},
        ReaderCase{"close_delimited_and_open", "HTTP/1.1 200 OK\r\n\r\nhi", End::open, "", false},
        ReaderCase{"connection_close",
                   "HTTP/1.1 503 \r\nConnection: close\r\nContent-Length: 0\r\n\r\n", End::open,
                   "503", false},
        ReaderCase{"answer_to_head", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", End::open,
                   "200", true, true},
        ReaderCase{"no_content", "HTTP/1.1 204 No Content\r\n\r\n", End::open, "204", true},
        ReaderCase{"interim_first",
                   "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                   "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
                   End::open, "201", true},
        ReaderCase{"surplus_bytes", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi#", End::open,
                   "200 hi", false},
        ReaderCase{"fin_before_any_byte", "", End::fin, "closed"},
        ReaderCase{"rst_before_any_byte", "", End::rst, "reset"},
        ReaderCase{"fin_after_an_interim_answer", "HTTP/1.1 100 Continue\r\n\r\n", End::fin,
                   "closed"},
        ReaderCase{"fin_inside_the_head", "HTTP/1.1 200 OK\r\nConte", End::fin, "truncated"},
        ReaderCase{"fin_inside_the_body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi",
                   End::fin, "truncated"},
        ReaderCase{"rst_inside_the_body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi",
                   End::rst, "truncated"},
        ReaderCase{"rst_instead_of_the_delimiting_fin", "HTTP/1.1 200 OK\r\n\r\nhi", End::rst,
                   "truncated"},
        ReaderCase{"missing_last_chunk",
                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", End::fin,
                   "truncated"},
        ReaderCase{"garbage", "\x01\x02garbage\r\n\r\n", End::open, "malformed"},
        ReaderCase{"bad_chunk_size",
                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n", End::open,
                   "malformed"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace retrylab::sim
