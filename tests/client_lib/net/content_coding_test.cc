// SPDX-License-Identifier: MIT
#include "client_lib/net/content_coding.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/client_lib/net/gzip.h"

namespace retrylab {
namespace {

Outcome coded(std::string body, std::string coding = "gzip") {
  return {.response = {.status = 200,
                       .headers = {{"Content-Encoding", std::move(coding)}, {"X", "y"}},
                       .body = std::move(body)}};
}

Outcome decoded(Outcome outcome, std::size_t bytes_max = 1'000'000) {
  decode_content(outcome, bytes_max);
  return outcome;
}

const std::string& text() {
  static const std::string kText = [] {
    std::string made;
    for (int i = 0; i < 5'000; ++i) made += std::to_string(i * i) + " ";
    return made;
  }();
  return kText;
}

TEST(ContentCoding, a_gzip_answer_is_decoded_and_its_coding_dropped) {
  for (const std::string coding : {"gzip", "GZIP", "x-gzip"}) {
    const Outcome outcome = decoded(coded(gzip(text()), coding));
    ASSERT_TRUE(outcome.answered());
    EXPECT_EQ(outcome.response.body, text());
    EXPECT_EQ(outcome.response.headers, (Headers{{"X", "y"}}));
  }
}

TEST(ContentCoding, an_empty_text_and_two_members_are_whole) {
  EXPECT_EQ(decoded(coded(gzip(""))).response.body, "");
  EXPECT_EQ(decoded(coded(gzip("ab") + gzip("cd"))).response.body, "abcd");
}

TEST(ContentCoding, no_prefix_of_a_stream_is_a_success) {
  const std::string whole = gzip("a rather short text");
  for (std::size_t length = 1; length < whole.size(); ++length) {
    EXPECT_EQ(decoded(coded(whole.substr(0, length))).failure, Failure::truncated) << length;
  }
}

// Some bits of a deflate stream fill up its last byte and say nothing.
TEST(ContentCoding, no_flipped_bit_gives_another_text) {
  const std::string text = "a rather short text";
  const std::string whole = gzip(text);
  for (std::size_t at = 10; at < whole.size(); ++at) {  // the ten bytes of header carry no text
    for (int bit = 0; bit < 8; ++bit) {
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ (1 << bit));
      const Outcome outcome = decoded(coded(broken));
      EXPECT_EQ(outcome.response.body, outcome.answered() ? text : "") << at << "." << bit;
      if (at >= whole.size() - 8) {  // checksum and length
        EXPECT_FALSE(outcome.answered()) << at << "." << bit;
      }
    }
  }
}

TEST(ContentCoding, what_is_not_gzip_is_malformed) {
  EXPECT_EQ(decoded(coded("plain text")).failure, Failure::malformed);
  EXPECT_EQ(decoded(coded(gzip("text") + "more")).failure, Failure::malformed);
  EXPECT_EQ(decoded(coded("text", "br")).failure, Failure::malformed);
  EXPECT_EQ(decoded(coded(gzip("text"), "gzip, gzip")).failure, Failure::malformed);
  Outcome twice = coded(gzip("text"));
  twice.response.headers.push_back({"Content-Encoding", "gzip"});
  EXPECT_EQ(decoded(twice).failure, Failure::malformed);
}

TEST(ContentCoding, a_bomb_is_too_large) {
  EXPECT_EQ(decoded(coded(gzip(std::string(2'000'000, 'a')))).failure, Failure::too_large);
  EXPECT_TRUE(decoded(coded(gzip(std::string(1'000'000, 'a')))).answered());
}

TEST(ContentCoding, what_has_no_coding_is_left_alone) {
  Outcome outcome{.response = {.status = 200, .headers = {{"X", "y"}}, .body = "plain"}};
  EXPECT_EQ(decoded(outcome).response, outcome.response);
  EXPECT_EQ(decoded(coded("", "gzip")).response, coded("", "gzip").response);
  EXPECT_EQ(decoded(coded("text", "identity")).response.body, "text");
  EXPECT_EQ(decoded({.failure = Failure::reset}).failure, Failure::reset);
}

}  // namespace
}  // namespace retrylab
