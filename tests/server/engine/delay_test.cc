// SPDX-License-Identifier: MIT
#include "server/engine/delay.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/engine/lognormal.h"
#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// P(Z > z), by the library that the engine must not use.
double upper_tail(double z) {
  return std::erfc(z / std::sqrt(2.0)) / 2;
}

TEST(normal_quantile, agrees_with_the_exact_distribution) {
  for (int exponent = 1; exponent < 23; ++exponent) {
    for (const double fraction : {1.0, 0.93, 0.77, 0.61, 0.51}) {
      const double tail =
          std::ldexp(fraction, -exponent);  // of the upper half: P(Z > z) = tail / 2
      const auto bits = static_cast<std::uint64_t>(std::ldexp(tail, 63));
      const double z = static_cast<double>(normal_quantile(bits)) / (1 << 24);
      EXPECT_NEAR(upper_tail(z) / (tail / 2), 1, 2e-3) << tail;
    }
  }
}

TEST(normal_quantile, is_symmetric_and_bounded) {
  EXPECT_EQ(normal_quantile(0), -normal_quantile(std::uint64_t{1} << 63U));
  EXPECT_NEAR(static_cast<double>(normal_quantile(0)) / (1 << 24), 5.42, 0.01);
  EXPECT_LE(normal_quantile(~std::uint64_t{0} >> 1U), 10) << "the median";
}

TEST(scaled_exponential, agrees_with_the_exact_function) {
  for (double x = -20; x <= 20; x += 0.37) {
    const auto fixed = static_cast<std::int64_t>(std::ldexp(x, 24));
    const double exact = 1e9 * std::exp(std::ldexp(static_cast<double>(fixed), -24));
    const auto value = static_cast<double>(scaled_exponential(1s, fixed).count());
    EXPECT_NEAR(value, exact, 1 + exact * 1e-12) << x;
  }
}

TEST(scaled_exponential, saturates_at_both_ends) {
  EXPECT_EQ(scaled_exponential(1h, std::int64_t{100} << 24), kForever);
  EXPECT_EQ(scaled_exponential(1h, std::int64_t{-100} << 24), 0ns);
  EXPECT_EQ(scaled_exponential(0s, std::int64_t{100} << 24), 0ns);
}

// The draws that every compiler and library has to give for this seed.
TEST(lognormal_delay, gives_the_same_draws_everywhere) {
  Random random(1);
  std::vector<std::int64_t> draws;
  for (int i = 0; i < 4; ++i) draws.push_back(draw_lognormal(100ms, 500, random).count());
  EXPECT_THAT(draws, ElementsAre(65'993'156, 35'972'310, 48'531'982, 114'789'927));
}

TEST(lognormal_delay, has_its_median_and_spread) {
  constexpr int kDraws = 40'000;
  Random random = Random::stream(1, "test");
  std::vector<double> logs;
  for (int i = 0; i < kDraws; ++i) {
    logs.push_back(std::log(static_cast<double>(draw_lognormal(100ms, 800, random).count()) / 1e8));
  }
  double sum = 0;
  double squares = 0;
  for (const double one : logs) {
    sum += one;
    squares += one * one;
  }
  const double mean = sum / kDraws;
  EXPECT_NEAR(mean, 0, 5 * 0.8 / std::sqrt(kDraws));
  EXPECT_NEAR(std::sqrt(squares / kDraws - mean * mean), 0.8, 0.02);
}

TEST(uniform_delay, covers_its_range_evenly) {
  constexpr int kDraws = 20'000;
  Random random = Random::stream(2, "test");
  const scenario::Delay delay = scenario::UniformDelay{100ms, 200ms};
  int lower_half = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Duration drawn = draw_delay(delay, 1h, random);
    ASSERT_GE(drawn, 100ms);
    ASSERT_LE(drawn, 200ms);
    lower_half += drawn < 150ms ? 1 : 0;
  }
  EXPECT_NEAR(lower_half, kDraws / 2, 5 * std::sqrt(kDraws) / 2);
}

TEST(any_delay, stops_at_the_limit) {
  Random random(1);
  EXPECT_EQ(draw_delay(scenario::FixedDelay{2h}, 1h, random), 1h);
  EXPECT_EQ(draw_delay(scenario::LognormalDelay{1s, 9'000, 2s}, 1h, random) <= 2s, true);
}

// However late a busy host is to read it: its answer is due when the client expects it.
TEST(any_delay, counts_from_the_arrival_of_the_request) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 503, "delay": "1s"}, {"status": 503} ]} ])");
  server.now = Instant(10s);
  SimpleRequest request = get("/");
  request.unread = 300ms;
  EXPECT_EQ(server.send(request).lines().front(), "wait 10700ms");
  EXPECT_EQ(server.send(request).lines().front(), "write HTTP/1.1 503 Service Unavailable (head)");
}

TEST(any_delay, counts_from_the_arrival_of_the_body) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /", "script": [
      {"status": 503, "delay": "1s"} ]} ])");
  server.now = Instant(10s);
  SimpleRequest request = post("/");
  request.unread = 300ms;
  EXPECT_EQ(server.send(request).lines().front(), "wait 10700ms");
}

TEST(barrier, holds_answers_until_enough_wait) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 503, "delay": {"until": {"waiting": 3}, "max": "20s"}} ]} ])");
  const auto first = server.send(get("/"));
  const auto second = server.send(get("/"));
  EXPECT_THAT(first.lines(), ElementsAre("await 20s"));
  EXPECT_THAT(second.lines(), ElementsAre("await 20s"));
  EXPECT_THAT(server.engine().take_released(), ElementsAre());
  server.now += 4s;
  const auto third = server.send(get("/"));
  EXPECT_EQ(third.status(), 503);
  EXPECT_THAT(server.engine().take_released(), ElementsAre(first.id, second.id));
  EXPECT_THAT(lines_of(server.engine().resume(first.id, server.now)),
              ElementsAre("write HTTP/1.1 503 Service Unavailable (head)", "keep_alive"));
}

TEST(barrier, does_not_count_who_has_left_or_gone_on) {
  ServerUnderTest server(R"("routes": [ {"on": "GET /", "script": [
      {"status": 503, "delay": {"until": {"waiting": 2}, "max": "20s"}} ]} ])");
  server.cut(server.send(get("/")), 0);
  const auto second = server.send(get("/"));
  EXPECT_THAT(second.lines(), ElementsAre("await 20s"));
  server.now = Instant(20s);
  EXPECT_THAT(lines_of(server.engine().resume(second.id, server.now)).front(),
              "write HTTP/1.1 503 Service Unavailable (head)");
  EXPECT_THAT(server.send(get("/")).lines(), ElementsAre("await 40s"));
}

}  // namespace
}  // namespace retrylab::engine
