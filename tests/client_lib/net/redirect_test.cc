// SPDX-License-Identifier: MIT
#include "client_lib/net/redirect.h"

#include <gtest/gtest.h>

#include <string>

namespace retrylab {
namespace {

Request request(std::string method) {
  return {.method = std::move(method),
          .url = "https://a.test/r",
          .headers = {{"Authorization", "secret"},
                      {"Content-Type", "text/plain"},
                      {"Idempotency-Key", "k"},
                      {"X", "y"}},
          .body = "body"};
}

Response to(int status, std::string location) {
  return {.status = status, .headers = {{"Location", std::move(location)}}};
}

// "METHOD URL body header names".
std::string followed(const Response& response, std::string method) {
  Request next = request(std::move(method));
  Url url = *parse_url(next.url);
  if (!follow_redirect(response, next, url)) return "refused";
  std::string text = next.method + " " + next.url + " " + next.body;
  for (const Header& header : next.headers) text += " " + header.name;
  return text;
}

TEST(Redirect, keeps_or_changes_the_method_as_rfc_9110_says) {
  const std::string all = " Authorization Content-Type Idempotency-Key X";
  const struct {
    int status;
    std::string method;
    std::string expected;
  } rows[] = {
      {301, "POST", "GET https://a.test/b  Authorization Idempotency-Key X"},
      {302, "POST", "GET https://a.test/b  Authorization Idempotency-Key X"},
      {303, "POST", "GET https://a.test/b  Authorization Idempotency-Key X"},
      {303, "PUT", "GET https://a.test/b  Authorization Idempotency-Key X"},
      {303, "HEAD", "HEAD https://a.test/b body" + all},
      {301, "PUT", "PUT https://a.test/b body" + all},
      {302, "DELETE", "DELETE https://a.test/b body" + all},
      {307, "POST", "POST https://a.test/b body" + all},
      {308, "PATCH", "PATCH https://a.test/b body" + all},
      {302, "GET", "GET https://a.test/b body" + all},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(followed(to(row.status, "/b"), row.method), row.expected) << row.status << row.method;
  }
}

TEST(Redirect, another_origin_gets_no_credentials) {
  EXPECT_EQ(followed(to(307, "https://b.test/x"), "POST"),
            "POST https://b.test/x body Content-Type Idempotency-Key X");
  EXPECT_EQ(followed(to(307, "https://a.test:444/x"), "POST"),
            "POST https://a.test:444/x body Content-Type Idempotency-Key X");
}

TEST(Redirect, what_must_not_be_followed_is_refused) {
  EXPECT_EQ(followed(to(302, "http://a.test/x"), "GET"), "refused");
  EXPECT_EQ(followed(to(302, "ftp://a.test/x"), "GET"), "refused");
  EXPECT_EQ(followed({.status = 302}, "GET"), "refused");
}

}  // namespace
}  // namespace retrylab
