// SPDX-License-Identifier: MIT
#include "server/journal/location.h"

#include <gtest/gtest.h>

namespace retrylab::journal {
namespace {

TEST(Location, is_resolved_against_the_target_that_it_answers) {
  const struct {
    const char* target;
    const char* location;
    const char* resolved;
  } rows[] = {
      {"/a/b?x=1", "http://127.0.0.1:8080/c?d=e", "/c?d=e"},
      {"/a/b", "HTTP://host", "/"},
      {"/a/b", "http://host?q", "/?q"},
      {"/a/b", "//host/c", "/c"},
      {"/a/b", "/c", "/c"},
      {"/a/b", "/c/../d/./e", "/d/e"},
      {"/a/b", "/u?to=http://other/c", "/u?to=http://other/c"},
      {"/a/b?x=1", "c", "/a/c"},
      {"/a/b", "../c", "/c"},
      {"/a/b/", "..", "/a/"},
      {"/a/b", "./", "/a/"},
      {"/a/b?x=1", "?y=2", "/a/b?y=2"},
      {"/a/b?x=1", "#top", "/a/b?x=1"},
      {"/a/b", "/c#top", "/c"},
      {"/", "../../c", "/c"},
      {"http://host:1/a/b", "c", "/a/c"},
      {"/a", "/%62", "/b"},
      {"/a", "/%2e%2E/%7ec", "/~c"},
      {"/a", "/b%2fc", "/b%2Fc"},
      {"/a", "/100%", "/100%"},
      {"/%61/b", "c", "/a/c"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(resolved(row.target, row.location), row.resolved)
        << row.target << " to " << row.location;
  }
}

TEST(Location, a_target_has_one_form_however_it_is_escaped) {
  EXPECT_EQ(origin_form("/%62?q=%41%2f"), "/b?q=A%2F");
  EXPECT_EQ(origin_form("http://host:1/%62"), "/b");
  EXPECT_EQ(origin_form("/b%4"), "/b%4");
}

}  // namespace
}  // namespace retrylab::journal
