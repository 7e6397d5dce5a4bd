// SPDX-License-Identifier: MIT
#include "server/control/security.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace retrylab::control {
namespace {

constexpr const char* kToken = "0123456789abcdef";

std::string refusal(const Request& request, const Security& security = {}) {
  const auto refused = refuse(request, security);
  return refused ? std::string(word(refused->type)) : "";
}

Request get(Headers headers) {
  return {.method = "GET", .path = "/runs", .headers = std::move(headers)};
}

TEST(Security, a_host_is_an_address_or_a_name_that_was_given) {
  const Security security{.hosts = {"lab.test"}};
  for (const char* host : {"127.0.0.1", "127.0.0.1:80", "[::1]:80", "localhost", "LocalHost:1",
                           "lab.test", "LAB.test:1", "10.1.2.3:4"}) {
    EXPECT_EQ(refusal(get({{"Host", host}}), security), "") << host;
  }
  for (const char* host : {"", ":80", "evil.test", "lab.test.evil.test", "localhost.evil.test",
                           "127.0.0.1.evil.test:80", "[::1", "[evil.test]:80"}) {
    EXPECT_EQ(refusal(get({{"Host", host}}), security), "forbidden_host") << host;
  }
  EXPECT_EQ(refusal(get({})), "forbidden_host");
  EXPECT_EQ(refusal(get({{"Host", "localhost"}, {"Host", "localhost"}})), "forbidden_host");
}

TEST(Security, an_origin_is_this_server_or_missing) {
  const std::string host = "127.0.0.1:7070";
  EXPECT_EQ(refusal(get({{"Host", host}})), "");
  EXPECT_EQ(refusal(get({{"Host", host}, {"Origin", "http://127.0.0.1:7070"}})), "");
  EXPECT_EQ(refusal(get({{"Host", host}, {"Origin", "https://127.0.0.1:7070"}})), "");
  for (const char* origin :
       {"null", "", "http://127.0.0.1", "ftp://127.0.0.1:7070", "http://127.0.0.1:7071",
        "http://localhost:7070", "http://evil.test"}) {
    EXPECT_EQ(refusal(get({{"Host", host}, {"Origin", origin}})), "forbidden_origin") << origin;
  }
}

TEST(Security, what_changes_something_does_not_come_from_another_site) {
  Request request = get({{"Host", "localhost"}, {"Sec-Fetch-Site", "cross-site"}});
  EXPECT_EQ(refusal(request), "");  // a link to the page
  request.method = "POST";
  EXPECT_EQ(refusal(request), "forbidden_origin");
  request.headers[1].value = "same-site";
  EXPECT_EQ(refusal(request), "forbidden_origin");
  request.headers[1].value = "same-origin";
  EXPECT_EQ(refusal(request), "");
}

TEST(Security, the_whole_token_and_nothing_else_opens) {
  const Security security{.token = kToken};
  const auto with = [](const std::string& value) {
    return get({{"Host", "localhost"}, {"Authorization", value}});
  };
  EXPECT_EQ(refusal(with(std::string("Bearer ") + kToken), security), "");
  EXPECT_EQ(refusal(with(std::string("bearer ") + kToken), security), "");
  for (const std::string& value :
       {std::string(), std::string("Bearer"), std::string("Bearer "),
        std::string("Bearer 0123456789abcde"), std::string("Bearer 0123456789abcdeF"),
        std::string("Bearer 0123456789abcdef0"), std::string("Basic 0123456789abcdef")}) {
    EXPECT_EQ(refusal(with(value), security), "token_required") << value;
  }
}

TEST(Security, health_and_the_page_need_no_token_but_only_to_be_read) {
  const Security security{.token = kToken};
  for (const char* path : {"/", "/health"}) {
    Request request{.method = "GET", .path = path, .headers = {{"Host", "localhost"}}};
    EXPECT_EQ(refusal(request, security), "") << path;
    request.method = "POST";
    EXPECT_EQ(refusal(request, security), "token_required") << path;
  }
}

TEST(Security, loopback_is_this_host_alone) {
  for (const char* address : {"127.0.0.1", "127.9.9.9", "::1"}) EXPECT_TRUE(is_loopback(address));
  for (const char* address : {"0.0.0.0", "::", "10.0.0.1", "", "localhost"}) {
    EXPECT_FALSE(is_loopback(address)) << address;
  }
}

}  // namespace
}  // namespace retrylab::control
