// SPDX-License-Identifier: MIT
#include "client_lib/retry/server_wait.h"

#include <gtest/gtest.h>

#include <string>

#include "client_lib/base/duration_text.h"

namespace retrylab {
namespace {

constexpr WallTime kNow{std::chrono::seconds(1'796'040'000)};
constexpr WaitHeaders kAll{.retry_after = true,
                           .retry_after_ms = true,
                           .x_amz_retry_after = true,
                           .grpc_retry_pushback = true,
                           .ratelimit = true,
                           .x_ratelimit_reset = true};

std::string dump(const ServerWait& found) {
  if (found.kind == ServerWait::Kind::none) return "none";
  if (found.kind == ServerWait::Kind::no_retry) return "no retry";
  const std::string wait = found.wait == kForever ? "for ever" : format_duration(found.wait);
  return wait + (found.pushback ? " pushback" : "");
}

TEST(ServerWait, table) {
  const struct {
    Headers headers;
    std::string expected;
  } rows[] = {
      {{}, "none"},
      {{{"Retry-After", "3"}}, "3s"},
      {{{"Retry-After", "soon"}}, "none"},
      {{{"Retry-After", "Mon, 30 Nov 2026 12:00:05 GMT"}}, "5s"},
      {{{"retry-after-ms", "1500"}}, "1500ms"},
      {{{"retry-after-ms", "1500.5"}}, "none"},
      {{{"retry-after-ms", "-1"}}, "none"},
      {{{"retry-after-ms", "99999999999999999999"}}, "none"},
      {{{"retry-after-ms", "9223372036854775807"}}, "for ever"},
      {{{"x-amz-retry-after", "20"}}, "20ms"},
      {{{"x-amz-retry-after", "20s"}}, "none"},
      {{{"grpc-retry-pushback-ms", "250"}}, "250ms pushback"},
      {{{"grpc-retry-pushback-ms", "0"}}, "0s pushback"},
      {{{"grpc-retry-pushback-ms", "-1"}}, "no retry"},
      {{{"grpc-retry-pushback-ms", "soon"}}, "no retry"},
      {{{"grpc-retry-pushback-ms", "2147483648"}}, "no retry"},
      {{{"RateLimit", "\"default\";r=0;t=30"}}, "30s"},
      {{{"RateLimit", "\"default\";r=50"}}, "none"},
      {{{"RateLimit", "limit=100, remaining=0, reset=5"}}, "5s"},
      {{{"RateLimit-Reset", "7"}}, "7s"},
      {{{"RateLimit-Reset", "7.5"}}, "none"},
      {{{"X-RateLimit-Reset", "10"}}, "10s"},
      {{{"X-Rate-Limit-Reset", "11"}}, "11s"},
      {{{"X-RateLimit-Reset", "1796040012"}}, "12s"},
      {{{"X-RateLimit-Reset", "1796040012500"}}, "12500ms"},
      {{{"X-RateLimit-Reset", "1796039990"}}, "0s"},
      {{{"X-RateLimit-Reset", "-5"}}, "none"},
  };
  for (const auto& row : rows) {
    const std::string shown = row.headers.empty() ? "" : row.headers[0].name + row.headers[0].value;
    EXPECT_EQ(dump(find_server_wait(row.headers, kAll, kNow)), row.expected) << shown;
  }
}

TEST(ServerWait, retry_after_comes_first_and_an_invalid_one_gives_way) {
  EXPECT_EQ(
      dump(find_server_wait({{"RateLimit", "\"d\";r=0;t=5"}, {"Retry-After", "1"}}, kAll, kNow)),
      "1s");
  EXPECT_EQ(dump(find_server_wait({{"retry-after-ms", "1500"}, {"Retry-After", "1"}}, kAll, kNow)),
            "1s");
  EXPECT_EQ(dump(find_server_wait({{"retry-after-ms", "1500"}, {"Retry-After", "x"}}, kAll, kNow)),
            "1500ms");
}

TEST(ServerWait, only_the_headers_of_the_policy_count) {
  const Headers headers{{"retry-after-ms", "1500"},
                        {"x-amz-retry-after", "20"},
                        {"grpc-retry-pushback-ms", "-1"},
                        {"RateLimit-Reset", "7"},
                        {"X-RateLimit-Reset", "10"}};
  EXPECT_EQ(dump(find_server_wait(headers, WaitHeaders(), kNow)), "none");
  EXPECT_EQ(dump(find_server_wait({{"Retry-After", "3"}}, {.retry_after = false}, kNow)), "none");
}

TEST(ServerWait, two_lines_of_a_vendor_header_count_for_nothing) {
  EXPECT_EQ(dump(find_server_wait({{"retry-after-ms", "1"}, {"retry-after-ms", "2"}}, kAll, kNow)),
            "none");
}

}  // namespace
}  // namespace retrylab
