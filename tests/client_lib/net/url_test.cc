// SPDX-License-Identifier: MIT
#include "client_lib/net/url.h"

#include <gtest/gtest.h>

#include <string>

namespace retrylab {
namespace {

TEST(Url, splits) {
  const struct {
    std::string text;
    std::string host;
    int port;
    std::string target;
    std::string whole;
  } rows[] = {
      {"http://a.test", "a.test", 80, "/", "http://a.test/"},
      {"HTTP://A.Test:80/", "a.test", 80, "/", "http://a.test/"},
      {"https://a.test/x/y?z=1#frag", "a.test", 443, "/x/y?z=1", "https://a.test/x/y?z=1"},
      {"http://127.0.0.1:8080/x", "127.0.0.1", 8080, "/x", "http://127.0.0.1:8080/x"},
      {"http://[::1]:8080/x", "::1", 8080, "/x", "http://[::1]:8080/x"},
      {"http://[::1]", "::1", 80, "/", "http://[::1]/"},
      {"http://a.test?q", "a.test", 80, "/?q", "http://a.test/?q"},
      {"http://a.test:/", "a.test", 80, "/", "http://a.test/"},
  };
  for (const auto& row : rows) {
    const auto url = parse_url(row.text);
    ASSERT_TRUE(url) << row.text;
    EXPECT_EQ(url->host, row.host);
    EXPECT_EQ(url->port, row.port);
    EXPECT_EQ(url->target, row.target);
    EXPECT_EQ(url->text(), row.whole);
  }
}

TEST(Url, refuses_what_it_cannot_send) {
  for (const std::string text :
       {"", "a.test", "/x", "ftp://a.test/", "http://", "http:///x", "http://:80/",
        "http://a.test:99999/", "http://a.test:x/", "http://user:secret@a.test/",
        "http://a.test/a b", "http://a.test/\r\nX: y", "http://[::1/", "http://[::1]x/"}) {
    EXPECT_FALSE(parse_url(text)) << text;
  }
}

TEST(Url, resolves_references) {
  const Url base = *parse_url("http://a.test:81/b/c/d?q");
  const struct {
    std::string reference;
    std::string expected;
  } rows[] = {
      {"http://x.test/y", "http://x.test/y"},
      {"//x.test/y", "http://x.test/y"},
      {"/y?z", "http://a.test:81/y?z"},
      {"y", "http://a.test:81/b/c/y"},
      {"./y", "http://a.test:81/b/c/y"},
      {"../y", "http://a.test:81/b/y"},
      {"../../../y", "http://a.test:81/y"},
      {"..", "http://a.test:81/b/"},
      {"y/", "http://a.test:81/b/c/y/"},
      {"?n", "http://a.test:81/b/c/d?n"},
      {"", "http://a.test:81/b/c/d?q"},
      {"#f", "http://a.test:81/b/c/d?q"},
      {"y?a=/../b", "http://a.test:81/b/c/y?a=/../b"},
      {"/a//b", "http://a.test:81/a//b"},
  };
  for (const auto& row : rows) {
    const auto url = resolve_reference(base, row.reference);
    ASSERT_TRUE(url) << row.reference;
    EXPECT_EQ(url->text(), row.expected) << row.reference;
  }
  EXPECT_FALSE(resolve_reference(base, "ftp://x.test/"));
  EXPECT_FALSE(resolve_reference(base, "javascript:alert"));
  EXPECT_FALSE(resolve_reference(base, "/a b"));
}

}  // namespace
}  // namespace retrylab
