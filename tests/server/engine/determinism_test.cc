// SPDX-License-Identifier: MIT
// DESIGN.md invariant 7: same scenario, seed, requests and instants give byte-identical plans.
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kRandom = R"("routes": [
  {"on": "POST /a", "creates": "payment", "script": [
    {"status": 201, "delay": {"uniform": {"min": "10ms", "max": "900ms"}}, "body": "{{resource.id}}",
     "times": 20},
    {"status": 503, "chance": "1/2", "else": 200, "times": 20},
    {"status": 200, "fault": {"do": "garbage", "size": "40B", "at": "response_start"}} ]},
  {"on": "POST /b", "script": [ {"status": 200, "delay": {"lognormal": {"median": "50ms", "sigma": 0.5,
                                                          "max": "2s"}}} ]} ])";

// Everything that fifty requests to /a are planned, with so many to /b in between.
std::string transcript(std::uint64_t seed, int others) {
  ServerUnderTest server(kRandom, seed);
  std::string text;
  for (int i = 0; i < 50; ++i) {
    for (int other = 0; other < others; ++other) server.status_of(post("/b"));
    const auto exchange = server.send(post("/a"));
    for (const std::string& line : exchange.lines()) text += line + "\n";
    text += exchange.bytes() + "\n";
    server.deliver(exchange);
    server.now += 10ms;
  }
  return text;
}

TEST(plans, are_the_same_for_the_same_seed) {
  EXPECT_EQ(transcript(7, 1), transcript(7, 1));
}

TEST(plans, differ_between_seeds) {
  EXPECT_NE(transcript(7, 1), transcript(8, 1));
}

TEST(plans, do_not_depend_on_the_traffic_of_other_routes) {
  EXPECT_EQ(transcript(7, 0), transcript(7, 3));
}

}  // namespace
}  // namespace retrylab::engine
