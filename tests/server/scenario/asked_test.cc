// SPDX-License-Identifier: MIT
#include "server/scenario/asked.h"

#include <tuple>

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

TEST(Asked, has_a_key_where_the_server_keeps_keys_and_the_method_needs_one) {
  for (const auto& [on, keeps, key] :
       {std::tuple{"POST /a", true, true}, std::tuple{"PATCH /a", true, true},
        std::tuple{"POST /a", false, false}, std::tuple{"PUT /a", true, false},
        std::tuple{"* /{path...}", true, false}}) {
    const auto asked = asked_request(
        loaded(fmt::format(R"({{"name": "a", "routes": [{{"on": "{}", {} "script": [200]}}]}})", on,
                           keeps ? R"("idempotency": {},)" : "")));
    EXPECT_EQ(asked.key, key) << on << keeps;
  }
}

}  // namespace
}  // namespace retrylab::scenario
