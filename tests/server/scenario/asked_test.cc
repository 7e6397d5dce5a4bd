// SPDX-License-Identifier: MIT
#include "server/scenario/asked.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/server/scenario/loading.h"

namespace retrylab::scenario {
namespace {

struct AskedCase {
  const char* on;
  const char* method;
  const char* path;
  bool has_body;
};

TEST(Asked, is_what_the_first_route_takes) {
  for (const AskedCase& c : {AskedCase{"* /{path...}", "GET", "/", false},
                             AskedCase{"POST /{path...}", "POST", "/", true},
                             AskedCase{"POST /v1/payments", "POST", "/v1/payments", true},
                             AskedCase{"DELETE /v1/{id}/x", "DELETE", "/v1/1/x", false},
                             AskedCase{"PUT /", "PUT", "/", true}}) {
    const auto asked = asked_request(loaded(
        fmt::format(R"({{"name": "a", "routes": [{{"on": "{}", "script": [200]}}]}})", c.on)));
    EXPECT_EQ(asked.method, c.method) << c.on;
    EXPECT_EQ(asked.path, c.path) << c.on;
    EXPECT_EQ(!asked.body.empty(), c.has_body) << c.on;
  }
}

}  // namespace
}  // namespace retrylab::scenario
