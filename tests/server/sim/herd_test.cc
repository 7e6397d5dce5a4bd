// SPDX-License-Identifier: MIT
// A herd against the scenario's own engine.
#include "server/sim/herd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "client_lib/base/sha256.h"
#include "client_lib/retry/presets.h"
#include "server/scenario/load.h"
#include "server/sim/models/fleet.h"
#include "server/sim/models/layers.h"

namespace retrylab::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view kOutage = R"({
  "name": "out-for-two-seconds", "routes": [ { "on": "GET /", "script": [200] } ],
  "outages": [ { "from": "0s", "until": "2s", "answer": 503 } ] })";

scenario::Scenario load(std::string_view text) {
  auto loaded = scenario::load(text, [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "no files here");
  });
  if (loaded) return std::move(*loaded);
  for (const auto& mistake : loaded.error()) ADD_FAILURE() << mistake.message;
  return {};
}

// Retries on 503 for as long as it takes.
Policy patient(Jitter jitter) {
  Policy policy;
  policy.attempts = 20;
  policy.backoff = {.base = seconds(1), .cap = seconds(2), .jitter = jitter};
  return policy;
}

Summary run(std::string_view scenario, const Herd& herd) {
  const scenario::Scenario loaded = load(scenario);
  const auto checked = check_herd(loaded, herd);
  EXPECT_TRUE(checked) << checked.error().message;
  return run_herd(loaded, herd).measures.summary();
}

TEST(Herd, everybody_comes_through_an_outage_and_jitter_flattens_the_peak) {
  Herd herd{.clients = 200, .policy = patient(Jitter::none)};
  const Summary together = run(kOutage, herd);
  herd.policy = patient(Jitter::full);
  const Summary apart = run(kOutage, herd);
  for (const Summary& summary : {together, apart}) {
    EXPECT_EQ(summary.operations, 200U);
    EXPECT_EQ(summary.successes, 200U);
    EXPECT_EQ(summary.attempts, summary.operations + summary.retries);
    EXPECT_EQ(summary.wasted(), 0U);
    EXPECT_TRUE(summary.drain.has_value());
  }
  EXPECT_EQ(together.peak_retries, 200U);
  EXPECT_LT(apart.peak_retries, 120U);
}

TEST(Herd, the_script_of_the_scenario_is_shared_by_all) {
  const Summary summary =
      run(R"({"name": "three", "routes": [ { "on": "GET /", "script": [503, 503, 503, 200] } ] })",
          {.clients = 10, .policy = patient(Jitter::full)});
  EXPECT_EQ(summary.attempts, 13U);
  EXPECT_EQ(summary.successes, 10U);
}

// The light fleet with a server of the same behaviour: the same attempts of the same clients at
// the same instants.
TEST(Herd, agrees_with_the_light_fleet_in_every_attempt) {
  for (const Jitter jitter : {Jitter::none, Jitter::full, Jitter::equal, Jitter::decorrelated}) {
    for (const bool budget : {false, true}) {
      Policy policy = patient(jitter);
      if (budget) policy.budget = TokenBucketPolicy{.capacity = 20'000};
      const Network network{.one_way = Duration(0)};
      const Summary real =
          run(kOutage, {.clients = 50, .policy = policy, .network = network, .seed = 5});
      QueueService server(
          {.service_time = Duration(0), .queue = 1000, .outage_until = Instant(seconds(2))});
      const Summary light = run_fleet({.clients = 50,
                                       .policy = policy,
                                       .network = network,
                                       .recovery = Instant(seconds(2)),
                                       .seed = 5},
                                      server)
                                .measures.summary();
      EXPECT_EQ(real.attempts, light.attempts);
      EXPECT_EQ(real.successes, light.successes);
      EXPECT_EQ(real.completion_p50, light.completion_p50);
      EXPECT_EQ(real.completion_p99, light.completion_p99);
      EXPECT_EQ(real.drain, light.drain);
      EXPECT_EQ(real.peak_retries, light.peak_retries);
      EXPECT_EQ(real.longest_silence, light.longest_silence);
    }
  }
}

TEST(Herd, operations_follow_one_another_in_a_closed_loop) {
  const Summary summary =
      run(R"({"name": "well", "routes": [ { "on": "GET /", "script": [200] } ] })",
          {.clients = 3,
           .policy = careful(),
           .operations = 4,
           .think = seconds(1),
           .network = {.one_way = Duration(0)}});
  EXPECT_EQ(summary.operations, 12U);
  EXPECT_EQ(summary.end, seconds(3));
}

TEST(Herd, arrivals_at_a_rate_do_not_wait_for_one_another) {
  const Summary summary = run(
      R"({"name": "slow", "routes": [ { "on": "GET /",
              "script": [ {"status": 200, "delay": "5s"} ] } ] })",
      {.clients = 10, .policy = careful(), .interval = milliseconds(100), .length = seconds(5)});
  EXPECT_GT(summary.operations, 400U);
  EXPECT_LT(summary.operations, 600U);
  EXPECT_EQ(summary.successes, summary.operations);
  EXPECT_LT(summary.end, seconds(10) + milliseconds(1));
}

TEST(Herd, even_arrivals_come_at_equal_distances) {
  EventLog log;
  const scenario::Scenario scenario =
      load(R"({"name": "well", "routes": [ { "on": "GET /", "script": [200] } ] })");
  run_herd(scenario, {.clients = 3,
                      .policy = careful(),
                      .interval = milliseconds(300),
                      .length = milliseconds(450),
                      .evenly_per_second = 10,
                      .network = {.one_way = Duration(0)},
                      .log = &log});
  std::string expected;
  const char* clients = "01201";
  for (int i = 0; i < 5; ++i) {
    const std::string stamp = std::to_string(i * 100'000'000) + " " + clients[i];
    expected += stamp + " attempt 1\n" + stamp + " succeeded 1\n";
  }
  EXPECT_EQ(log.text(), expected);
}

// 30,000 a second are 33,333.3 ns apart.
TEST(Herd, even_arrivals_do_not_drift) {
  const scenario::Scenario scenario =
      load(R"({"name": "well", "routes": [ { "on": "GET /", "script": [200] } ] })");
  for (const std::uint32_t rate : {7'000U, 30'000U}) {
    const auto result = run_herd(scenario, {.policy = careful(),
                                            .interval = std::chrono::nanoseconds(33'333),
                                            .length = seconds(3),
                                            .evenly_per_second = rate,
                                            .network = {.one_way = Duration(0)}});
    EXPECT_EQ(result.measures.summary().operations, 3 * rate);
  }
}

Policy at_once(std::uint32_t attempts) {
  Policy policy;
  policy.attempts = attempts;
  policy.backoff = {.base = Duration(0), .cap = Duration(0), .jitter = Jitter::none};
  return policy;
}

constexpr std::string_view kDead =
    R"({"name": "dead", "routes": [ { "on": "GET /", "script": [503] } ] })";

TEST(Herd, services_in_between_multiply_attempts) {
  for (std::uint32_t layers = 2; layers <= kLayersMax; ++layers) {
    Herd herd{.clients = 2, .policy = at_once(3), .network = {.one_way = Duration(0)}};
    herd.services.assign(layers - 1, at_once(3));
    const Summary summary = run(kDead, herd);
    std::uint64_t expected = 2;
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      expected *= 3;
      EXPECT_EQ(summary.by_layer[layer], expected);
    }
    EXPECT_EQ(summary.attempts, expected);
    EXPECT_EQ(summary.operations, 2U);
    EXPECT_EQ(summary.successes, 0U);
  }
}

// The model of layers without time or network makes the same attempts.
TEST(Herd, agrees_with_the_light_layers_budgets_and_all) {
  Policy bounded = at_once(4);
  bounded.budget = TokenBucketPolicy{
      .capacity = 5000, .retry_cost = 1000, .first_try_gain = 100, .success_gain = 0};
  for (const bool everywhere : {false, true}) {
    Herd herd{.clients = 1,
              .policy = everywhere ? bounded : at_once(4),
              .operations = 500,
              .network = {.one_way = Duration(0)}};
    herd.services = {bounded, everywhere ? bounded : at_once(4)};
    const Summary summary = run(kDead, herd);
    const LayersResult light = run_layers(
        {.policies = {herd.policy, herd.services[0], herd.services[1]}, .operations = 500});
    for (std::size_t layer = 0; layer < 3; ++layer) {
      EXPECT_EQ(summary.by_layer[layer], light.attempts[layer]) << layer;
    }
  }
}

TEST(Herd, all_clients_share_the_budget_of_a_service) {
  Herd herd{.clients = 100, .policy = at_once(1), .network = {.one_way = Duration(0)}};
  Policy bounded = at_once(4);
  bounded.budget = TokenBucketPolicy{.capacity = 5000, .retry_cost = 1000, .success_gain = 0};
  herd.services = {bounded};
  EXPECT_EQ(run(kDead, herd).attempts, 100U + 5U);
  herd.policy = bounded;  // each client has one of its own
  herd.services = {at_once(1)};
  EXPECT_EQ(run(kDead, herd).attempts, 400U);
}

// A layer whose attempt takes too long ends what is below it, waits included.
TEST(Herd, a_layer_that_is_out_of_time_gives_up_what_is_below) {
  Policy impatient = at_once(2);
  impatient.attempt_timeout = seconds(1);
  Policy sleepy = at_once(5);
  sleepy.backoff = {.base = seconds(10), .cap = seconds(10), .jitter = Jitter::none};
  sleepy.deadline = kForever;
  Herd herd{.policy = impatient, .services = {sleepy}, .network = {.one_way = Duration(0)}};
  const Summary waiting = run(kDead, herd);
  EXPECT_EQ(waiting.attempts, 2U);
  EXPECT_EQ(waiting.end, seconds(2));
  const Summary slow = run(R"({"name": "slow", "routes": [ { "on": "GET /",
      "script": [ {"status": 200, "delay": "5s"} ] } ] })",
                           herd);
  EXPECT_EQ(slow.attempts, 2U);
  EXPECT_EQ(slow.successes, 0U);
  EXPECT_EQ(slow.end, seconds(2));
}

TEST(Herd, what_is_lost_ends_by_the_time_limit) {
  Policy policy = careful();
  policy.attempt_timeout = seconds(1);
  const Summary summary =
      run(R"({"name": "well", "routes": [ { "on": "GET /", "script": [200] } ] })",
          {.clients = 200,
           .policy = policy,
           .network = {
               .delay = Network::Delay::exponential, .one_way = milliseconds(10), .loss = {1, 5}}});
  EXPECT_EQ(summary.unfinished, 0U);
  EXPECT_LT(summary.arrivals, summary.attempts);
  EXPECT_GT(summary.wasted(), 0U);  // the answers that were lost
  EXPECT_GT(summary.successes, 150U);
}

TEST(Herd, a_simulation_without_end_is_stopped_and_says_so) {
  const scenario::Scenario scenario =
      load(R"({"name": "dead", "routes": [ { "on": "GET /", "script": [503] } ] })");
  Herd herd{.policy = patient(Jitter::none)};
  herd.policy.attempts = UINT32_MAX;
  herd.policy.deadline = kForever;
  herd.time_max = std::chrono::hours(1);
  const HerdResult by_time = run_herd(scenario, herd);
  EXPECT_EQ(by_time.stopped, HerdResult::Stopped::time);
  EXPECT_EQ(by_time.measures.summary().unfinished, 1U);
  herd.events_max = 100;
  EXPECT_EQ(run_herd(scenario, herd).stopped, HerdResult::Stopped::events);
}

TEST(Herd, impossible_parameters_are_refused_with_the_flag_that_is_wrong) {
  const scenario::Scenario scenario = load(kOutage);
  const auto where = [&](const Herd& herd) {
    const auto checked = check_herd(scenario, herd);
    return checked ? "" : checked.error().where;
  };
  EXPECT_EQ(where({.clients = 0}), "--clients");
  EXPECT_EQ(where({.clients = 10'000'001}), "--clients");
  EXPECT_EQ(where({.operations = 0}), "--operations");
  EXPECT_EQ(where({.interval = Duration(0), .length = seconds(1)}), "--rate");
  EXPECT_EQ(where({.interval = seconds(1)}), "--for");
  EXPECT_EQ(where({.services = std::vector<Policy>(kLayersMax)}), "--policy");
  Herd endless{.network = {.loss = {1, 10}}};
  endless.policy.attempt_timeout = endless.policy.deadline = kForever;
  EXPECT_EQ(where(endless), "--loss");
}

std::string log_of(std::uint32_t clients) {
  const scenario::Scenario scenario = load(kOutage);
  EventLog log;
  run_herd(scenario, {.clients = clients,
                      .policy = patient(Jitter::full),
                      .network = {.delay = Network::Delay::normal,
                                  .one_way = milliseconds(10),
                                  .deviation = milliseconds(2),
                                  .loss = {1, 100}},
                      .seed = 42,
                      .log = &log});
  return log.text();
}

// The same with every compiler and its flags.
TEST(Herd, the_event_log_is_the_same_bytes_everywhere) {
  EXPECT_EQ(to_hex(sha256(log_of(50))).substr(0, 16), "a477e4b43833d251");
}

TEST(Herd, a_client_more_changes_nothing_for_the_others) {
  const std::string log = log_of(21);
  std::string others;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\n', at) + 1;
    if (std::stoul(log.substr(log.find(' ', at))) < 20) others += log.substr(at, end - at);
    at = end;
  }
  EXPECT_EQ(others, log_of(20));
}

}  // namespace
}  // namespace retrylab::sim
