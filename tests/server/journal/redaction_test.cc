// SPDX-License-Identifier: MIT
#include "server/journal/redaction.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "server/journal/recorder.h"

namespace retrylab::journal {
namespace {

std::string redacted(std::string head, const Redaction& redaction = Redaction()) {
  const std::string before = head;
  redaction.apply(head);
  EXPECT_TRUE(redaction.finds_any(before) || head == before);
  return head;
}

// The fingerprint of "secret", without a key.
const std::string kMark = redacted("G\r\nCookie:secret\r\n").substr(10, 25);

TEST(Redaction, finds_nothing_where_nothing_is_hidden) {
  EXPECT_FALSE(Redaction().finds_any("GET / HTTP/1.1\r\nAccept: a\r\nConnection: close\r\n\r\n"));
  EXPECT_TRUE(Redaction().finds_any("GET / HTTP/1.1\r\nAccept: a\r\ncookie: b\r\n\r\n"));
  EXPECT_FALSE(Redaction::none().finds_any("GET / HTTP/1.1\r\nCookie: b\r\n\r\n"));
}

TEST(Redaction, the_value_alone_is_replaced) {
  EXPECT_EQ(kMark.substr(0, 9), "redacted:");
  const struct {
    const char* before;
    std::string after;
  } rows[] = {
      {"GET / HTTP/1.1\r\nAuthorization: secret\r\nA: b\r\n\r\n",
       "GET / HTTP/1.1\r\nAuthorization: " + kMark + "\r\nA: b\r\n\r\n"},
      {"GET / HTTP/1.1\r\nA: b\r\ncookie:\t secret \r\n\r\n",
       "GET / HTTP/1.1\r\nA: b\r\ncookie:\t " + kMark + " \r\n\r\n"},
      {"GET /\nPROXY-AUTHORIZATION: secret", "GET /\nPROXY-AUTHORIZATION: " + kMark},
      {"GET /\r\nCookie : secret\r\n\r\n", "GET /\r\nCookie : " + kMark + "\r\n\r\n"},
      {"GET /\r\nCookie: secret\r\nCookie: secret\r\n\r\n",
       "GET /\r\nCookie: " + kMark + "\r\nCookie: " + kMark + "\r\n\r\n"},
      {"GET /\r\nCookie: secret\r\n\r\n", "GET /\r\nCookie: " + kMark + "\r\n\r\n"},
  };
  for (const auto& row : rows) EXPECT_EQ(redacted(row.before), row.after);
}

TEST(Redaction, a_folded_value_is_hidden_whole) {
  const std::string after = redacted("GET /\r\nCookie: a\r\n secret\r\nA: b\r\n\r\n");
  EXPECT_EQ(after.find("secret"), std::string::npos);
  EXPECT_TRUE(after.ends_with("\r\nA: b\r\n\r\n"));
}

TEST(Redaction, other_bytes_stay_as_they_are) {
  for (const char* head : {"", "GET /", "GET / HTTP/1.1\r\n\r\n", "GET /\r\nCookie:\r\n\r\n",
                           "GET /\r\nCookies: a\r\nX-Authorization: b\r\nCookie\r\n\r\n",
                           "Cookie: in the request line\r\n\r\n", "\r\n\r\n", "\n", ":\n:\n"}) {
    EXPECT_EQ(redacted(head), head);
  }
}

TEST(Redaction, more_headers_can_be_named_and_none_at_all) {
  const std::string head = "GET /\r\nX-Api-Key: secret\r\nCookie: secret\r\n\r\n";
  EXPECT_EQ(redacted(head, Redaction({"x-api-key", ""})),
            "GET /\r\nX-Api-Key: " + kMark + "\r\nCookie: " + kMark + "\r\n\r\n");
  EXPECT_EQ(redacted(head, Redaction::none()), head);
}

TEST(Redaction, a_key_makes_other_fingerprints_that_still_tell_values_apart) {
  const Redaction keyed({}, "key");
  const auto of = [&](const std::string& value) {
    return redacted("GET /\r\nCookie: " + value + "\r\n\r\n", keyed);
  };
  EXPECT_EQ(of("secret"), of("secret"));
  EXPECT_NE(of("secret"), of("Secret"));
  EXPECT_EQ(of("secret").find(kMark), std::string::npos);
}

TEST(Redaction, a_recorder_keeps_no_secret) {
  Recorder recorder({}, {}, nullptr);
  recorder.begin(std::make_unique<Attempt>(
      Attempt{.id = 1, .head = "GET / HTTP/1.1\r\nCookie: secret\r\n\r\n"}));
  recorder.begin(std::make_unique<Attempt>(
      Attempt{.id = 2, .head = "GET / HTTP/1.1\r\nCookie: secret\r\n\r\n"}));
  recorder.end(1);
  for (const Attempt& attempt : recorder.snapshot().attempts) {
    EXPECT_EQ(attempt.header("Cookie"), kMark);
  }
}

}  // namespace
}  // namespace retrylab::journal
