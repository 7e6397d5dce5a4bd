// SPDX-License-Identifier: MIT
// rate_limit and capacity: who passes, who waits, who is refused, and what they are told.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string limited(std::string_view rule) {
  return fmt::format(
      R"("routes": [ {{"on": "* /", "creates": "thing", "rate_limit": {}, "script": [201]}} ])",
      rule);
}

// The value of a header line in the bytes of an answer, or "".
std::string value_of(const std::string& answer, const std::string& name) {
  const auto at = answer.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const auto begin = at + 2 + name.size() + 2;
  return answer.substr(begin, answer.find("\r\n", begin) - begin);
}

std::vector<int> statuses(ServerUnderTest& server, const std::vector<Duration>& instants) {
  std::vector<int> all;
  for (const Duration at : instants) {
    server.now = Instant(at);
    all.push_back(server.status_of(get("/")));
  }
  return all;
}

TEST(fixed_window, lets_so_many_through_and_begins_again_when_it_is_over) {
  ServerUnderTest server(limited(R"({"requests": 2, "per": "10s"})"));
  EXPECT_THAT(statuses(server, {1s, 2s, 3s, 10999ms, 11s, 12s, 13s}),
              ElementsAre(201, 201, 429, 429, 201, 201, 429));
  EXPECT_EQ(server.created(), 4u) << "the refused execute nothing";
}

TEST(token_bucket, gives_one_back_at_a_time) {
  ServerUnderTest server(
      limited(R"({"requests": 2, "per": "10s", "kind": "token_bucket", "burst": 3})"));
  EXPECT_THAT(statuses(server, {0s, 0s, 0s, 0s, 4999ms, 5s, 5s, 15s, 15s, 15s}),
              ElementsAre(201, 201, 201, 429, 429, 201, 429, 201, 201, 429));
}

struct Told {
  std::string_view name;
  std::string_view rule;
};

class waits_as_told : public testing::TestWithParam<Told> {};

// For every instant of arrival: whoever is refused and waits the whole seconds that it is told
// passes, and the step before that does not.
TEST_P(waits_as_told, is_served) {
  for (Duration offset = 0ms; offset < 1s; offset += 37ms) {
    ServerUnderTest server(limited(GetParam().rule));
    server.now = Instant(offset);
    ServerUnderTest::Exchange exchange;
    do {
      server.now += 11ms;
      exchange = server.send(get("/"));
      server.deliver(exchange);
    } while (exchange.status() == 201);
    ASSERT_EQ(exchange.status(), 429);
    const int wait = std::stoi(value_of(exchange.bytes(), "Retry-After"));
    ASSERT_GT(wait, 0);
    const Instant told = server.now + std::chrono::seconds(wait);
    server.now = told - 1s;
    EXPECT_EQ(server.status_of(get("/")), 429) << "still limited for whoever comes early";
    server.now = told;
    EXPECT_EQ(server.status_of(get("/")), 201);
  }
}

INSTANTIATE_TEST_SUITE_P(
    kinds, waits_as_told,
    testing::Values(Told{"window", R"({"requests": 3, "per": "2500ms"})"},
                    Told{"bucket", R"({"requests": 1, "per": "2500ms", "kind": "token_bucket",
                                       "burst": 2})"}),
    CaseName());

TEST(rate_limit, tells_in_every_form) {
  ServerUnderTest server(limited(R"({"requests": 1, "per": "2500ms", "tells": ["retry_after",
      "retry_after_ms", "x_ratelimit", "ratelimit", "ratelimit_three"]})"));
  const std::string first = server.send(get("/")).bytes();
  EXPECT_EQ(value_of(first, "Retry-After"), "");
  EXPECT_EQ(value_of(first, "X-RateLimit-Limit"), "1");
  EXPECT_EQ(value_of(first, "X-RateLimit-Remaining"), "0");
  EXPECT_EQ(value_of(first, "X-RateLimit-Reset"), "3");
  server.now += 1100ms;
  const std::string second = server.send(get("/")).bytes();
  EXPECT_EQ(value_of(second, "Retry-After"), "2");
  EXPECT_EQ(value_of(second, "retry-after-ms"), "1400");
  EXPECT_EQ(value_of(second, "X-RateLimit-Reset"), "2");
  EXPECT_EQ(value_of(second, "RateLimit-Policy"), R"("default";q=1;w=3)");
  EXPECT_EQ(value_of(second, "RateLimit"), R"("default";r=0;t=2)");
  EXPECT_EQ(value_of(second, "RateLimit-Remaining"), "0");
}

TEST(rate_limit, tells_the_epoch_rounded_up) {
  ServerUnderTest server(
      limited(R"({"requests": 1, "per": "2500ms", "tells": ["x_ratelimit_epoch"]})"));
  server.send(get("/"));
  const std::string refused = server.send(get("/")).bytes();
  EXPECT_EQ(value_of(refused, "X-RateLimit-Reset"), "1796040003");
  EXPECT_EQ(value_of(refused, "Retry-After"), "");
}

TEST(rate_limit, is_shared_by_whom_it_says) {
  ServerUnderTest server(limited(R"({"requests": 1, "per": "1s", "by": "header:X-User"})"));
  SimpleRequest ann = get("/");
  ann.headers = {{"X-User", "ann"}};
  SimpleRequest bob = get("/");
  bob.headers = {{"X-User", "bob"}};
  EXPECT_EQ(server.status_of(ann), 201);
  EXPECT_EQ(server.status_of(bob), 201);
  EXPECT_EQ(server.status_of(ann), 429);
}

TEST(rate_limit, answers_as_it_says_and_consumes_no_step) {
  ServerUnderTest server(R"("routes": [ {"on": "* /", "script": [200, 204],
      "rate_limit": {"requests": 1, "per": "1s",
                     "answer": {"status": 403, "body": "slow down"}} } ])");
  EXPECT_EQ(server.status_of(get("/")), 200);
  const auto refused = server.send(get("/"));
  EXPECT_EQ(refused.status(), 403);
  EXPECT_THAT(refused.bytes(), HasSubstr("slow down"));
  server.deliver(refused);
  EXPECT_EQ(server.attempt(refused.id).planned.source, journal::Source::rate_limit);
  EXPECT_EQ(server.attempt(refused.id).planned.retry_after, std::vector<std::string>{"1"});
  server.now += 1s;
  EXPECT_EQ(server.status_of(get("/")), 204);
}

std::string with_capacity(std::string_view rule) {
  return fmt::format(R"("routes": [ {{"on": "* /", "capacity": {}, "script": [200]}} ])", rule);
}

TEST(capacity, sheds_what_has_neither_place_nor_queue) {
  ServerUnderTest server(
      with_capacity(R"({"concurrent": 1, "shed": {"status": 503, "retry_after": "2s"}})"));
  const auto first = server.send(get("/"));
  const auto shed = server.send(get("/"));
  EXPECT_EQ(shed.status(), 503);
  EXPECT_EQ(value_of(shed.bytes(), "Retry-After"), "2");
  server.deliver(shed);
  EXPECT_EQ(server.attempt(shed.id).planned.source, journal::Source::capacity);
  server.deliver(first);
  EXPECT_EQ(server.status_of(get("/")), 200);
}

TEST(capacity, queues_first_come_first_served) {
  ServerUnderTest server(with_capacity(R"({"concurrent": 1, "queue": 2})"));
  const auto first = server.send(get("/"));
  const auto second = server.send(get("/"));
  const auto third = server.send(get("/"));
  EXPECT_THAT(second.lines(), ElementsAre("await ever"));
  EXPECT_EQ(server.send(get("/")).status(), 503);
  EXPECT_THAT(server.engine().take_released(), testing::IsEmpty());
  server.deliver(first);
  EXPECT_THAT(server.engine().take_released(), ElementsAre(second.id));
  EXPECT_EQ(server.send(get("/")).lines(), std::vector<std::string>{"await ever"})
      << "a newcomer goes to the queue although the second has not answered yet";
  const wire::Plan answer = server.engine().resume(second.id, server.now);
  EXPECT_THAT(bytes_of(answer), testing::StartsWith("HTTP/1.1 200 OK"));
  server.deliver({second.id, {}, answer});
  EXPECT_THAT(server.engine().take_released(), ElementsAre(third.id));
}

TEST(capacity, forgets_who_leaves_the_queue) {
  ServerUnderTest server(with_capacity(R"({"concurrent": 1, "queue": 2})"));
  const auto first = server.send(get("/"));
  const auto second = server.send(get("/"));
  const auto third = server.send(get("/"));
  server.cut(second, 0);
  server.deliver(first);
  EXPECT_THAT(server.engine().take_released(), ElementsAre(third.id));
}

TEST(capacity, service_time_comes_before_the_delay) {
  ServerUnderTest server(R"("routes": [ {"on": "* /",
      "capacity": {"concurrent": 1, "service_time": "2s"},
      "script": [ {"status": 200, "delay": "1s"} ]} ])");
  EXPECT_EQ(server.send(get("/")).lines().front(), "wait 3s");
}

}  // namespace
}  // namespace retrylab::engine
