// SPDX-License-Identifier: MIT
// A route that can never be reached, since an earlier one takes all of its requests, is a mistake.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/scenario/load.h"

namespace retrylab::scenario {
namespace {

// The mistakes of two routes, the earlier first.
std::vector<Mistake> mistakes_of(std::string_view earlier, std::string_view later) {
  const auto scenario = load(fmt::format(R"({{"name": "x", "routes": [
                                             {{"on": {}, "script": [200]}},
                                             {{"on": {}, "script": [200]}}]}})",
                                         earlier, later),
                             [](const std::string& path) -> Result<std::string> { return path; });
  return scenario ? std::vector<Mistake>() : scenario.error();
}

struct Row {
  std::string_view earlier;
  std::string_view later;
};

TEST(Covers, a_route_that_is_never_reached_is_a_mistake) {
  constexpr Row kRows[] = {
      {R"("GET /{a}")", R"("GET /b")"},
      {R"("* /b")", R"("GET /b")"},
      {R"("GET /v1/{a}/x")", R"("GET /v1/{b}/x")"},
      {R"("GET /{rest...}")", R"("GET /")"},
      {R"("GET /v1/{rest...}")", R"("GET /v1/a/{b}/c")"},
      {R"("GET /v1/{rest...}")", R"("GET /v1/a/{more...}")"},
      {R"("GET /b")", R"({"method": "GET", "path": "/b", "query": {"q": "1"}})"},
      {R"({"path": "/b", "query": {"q": {"present": true}}})",
       R"({"path": "/b", "query": {"q": "1"}})"},
      {R"({"path": "/{a}", "headers": {"X-A": "1"}})",
       R"({"path": "/b", "headers": {"x-a": "1", "X-B": {"present": false}}})"},
      {R"({"path": "/b", "body": {"/n": 1}})", R"({"path": "/b", "body": {"/n": 1, "/m": 2}})"},
  };
  for (const auto& [earlier, later] : kRows) {
    const auto mistakes = mistakes_of(earlier, later);
    ASSERT_EQ(mistakes.size(), 1U) << earlier << " before " << later;
    EXPECT_EQ(mistakes.front().pointer, "/routes/1");
    EXPECT_NE(mistakes.front().message.find("never reached"), std::string::npos)
        << mistakes.front().message;
    // The other way round each has its own requests, unless both take the same.
    if (later.find("{b}/x") == std::string_view::npos) {
      EXPECT_TRUE(mistakes_of(later, earlier).empty()) << later << " before " << earlier;
    }
  }
}

TEST(Covers, a_route_with_requests_of_its_own_is_none) {
  constexpr Row kRows[] = {
      {R"("GET /{a}")", R"("GET /")"},  // a parameter is never empty
      {R"("GET /v1/{rest...}")", R"("GET /v1")"},
      {R"("GET /{a}")", R"("POST /b")"},
      {R"("GET /{a}")", R"("* /b")"},
      {R"("GET /{a}")", R"("GET /a/b")"},
      {R"("GET /{a}")", R"("GET /{rest...}")"},
      {R"("* /{a}")", R"("OPTIONS /*")"},  // the target "*" is no path
      {R"({"path": "/{a}", "query": {"q": "1"}})", R"("* /b")"},
      {R"({"path": "/b", "query": {"q": "1"}})", R"({"path": "/b", "query": {"q": "2"}})"},
      {R"({"path": "/b", "query": {"q": "1"}})", R"({"path": "/b", "query": {"Q": "1"}})"},
      {R"({"path": "/b", "query": {"q": "1"}})",
       R"({"path": "/b", "query": {"q": {"present": true}}})"},
      {R"({"path": "/b", "headers": {"X-A": {"present": false}}})",
       R"({"path": "/b", "headers": {"X-A": {"present": true}}})"},
  };
  for (const auto& [earlier, later] : kRows) {
    EXPECT_TRUE(mistakes_of(earlier, later).empty()) << earlier << " before " << later;
  }
}

TEST(Covers, a_typo_is_one_mistake) {
  const auto load_text = [](std::string_view text) {
    return load(text, [](const std::string& path) -> Result<std::string> { return path; });
  };
  struct Typo {
    std::string_view text;
    std::string_view pointer;
  };
  constexpr Typo kTypos[] = {
      {R"({"name": "x", "routes": [{"on": "POST /a", "script": [{"staus": 503}]}]})",
       "/routes/0/script/0/staus"},
      {R"({"name": "x", "routes": [{"on": "POST a", "script": [503]}],
           "expect": {"routes": {"POST /a": 1}}})",
       "/routes/0/on"},
      {R"({"name": "x", "routes": [{"on": "POST /a", "craetes": "payment", "script": [503]}],
           "expect": {"created": {"payment": 1}}})",
       "/routes/0/craetes"},
  };
  for (const auto& [text, pointer] : kTypos) {
    const auto scenario = load_text(text);
    ASSERT_FALSE(scenario) << text;
    ASSERT_EQ(scenario.error().size(), 1U) << text;
    EXPECT_EQ(scenario.error().front().pointer, pointer);
  }
}

}  // namespace
}  // namespace retrylab::scenario
