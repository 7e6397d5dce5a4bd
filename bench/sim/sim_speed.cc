// SPDX-License-Identifier: MIT
// Events per second of the simulator: its light models, and herds against a scenario's engine.
//
// Prints one line per workload: events, processor seconds of its one thread, events per second,
// peak resident memory so far.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "client_lib/retry/presets.h"
#include "server/scenario/load.h"
#include "server/sim/herd.h"
#include "server/sim/models/contended.h"
#include "server/sim/models/fleet.h"

namespace {

using namespace retrylab;
using namespace retrylab::sim;

// The processor time of this program, which other programs do not lengthen.
struct Watch {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Watch>;
  static time_point now() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto time = [](const timeval& value) {
      return std::chrono::seconds(value.tv_sec) + std::chrono::microseconds(value.tv_usec);
    };
    return time_point(time(usage.ru_utime) + time(usage.ru_stime));
  }
};

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print(std::string_view what, std::uint64_t events, Watch::time_point start) {
  const double seconds = std::chrono::duration<double>(Watch::now() - start).count();
  fmt::print("{:<46} {:>11} events {:>8.3f} s {:>7.2f} M/s {:>6.0f} ns each {:>7.0f} MiB\n", what,
             events, seconds, static_cast<double>(events) / seconds / 1e6,
             seconds * 1e9 / static_cast<double>(events), peak_mib());
  std::fflush(stdout);
}

// For about two seconds.
void contended(const Strategy& strategy, std::uint32_t clients) {
  const auto start = Watch::now();
  std::uint64_t events = 0;
  for (std::uint64_t seed = 1; Watch::now() - start < std::chrono::seconds(2); ++seed) {
    events += run_contended({.clients = clients, .backoff = strategy.backoff, .seed = seed}).events;
  }
  print(fmt::format("contended, N = {}, {}", clients, strategy.name), events, start);
}

// All at once into an outage of two seconds, then a server that could serve them all in one.
void outage(std::uint32_t clients) {
  const auto start = Watch::now();
  Fleet fleet;
  fleet.clients = clients;
  fleet.policy = careful();
  fleet.policy.attempts = 10;
  fleet.network = {.delay = Network::Delay::normal,
                   .one_way = std::chrono::milliseconds(10),
                   .deviation = std::chrono::milliseconds(2)};
  QueueService server({.service_time = Duration(1'000'000'000 / clients),
                       .queue = clients,
                       .outage_until = Instant(std::chrono::seconds(2))});
  const Summary summary = run_fleet(fleet, server).measures.summary();
  print(fmt::format("outage, {} clients, {} attempts", clients, summary.attempts), summary.events,
        start);
}

// The same outage as a scenario, answered by the engine, in HTTP.
void herd(std::uint32_t clients) {
  constexpr std::string_view kScenario = R"({
    "name": "outage", "routes": [ { "on": "GET /", "script": [200] } ],
    "outages": [ { "from": "0s", "until": "2s", "answer": 503 } ] })";
  const auto scenario =
      scenario::load(kScenario, [](const std::string& path) -> Result<std::string> {
        return fail(ErrorCode::machine, path, "no files here");
      });
  const auto start = Watch::now();
  Herd herd{.clients = clients,
            .policy = careful(),
            .network = {.delay = Network::Delay::normal,
                        .one_way = std::chrono::milliseconds(10),
                        .deviation = std::chrono::milliseconds(2)}};
  herd.policy.attempts = 10;
  const Summary summary = run_herd(*scenario, herd).measures.summary();
  print(fmt::format("engine, {} clients, {} attempts", clients, summary.attempts), summary.events,
        start);
}

}  // namespace

// sim_speed [contended] [outage] [engine]: those, or all.
int main(int argc, char** argv) {
  const std::vector<std::string_view> wanted(argv + 1, argv + argc);
  const auto wants = [&](std::string_view what) {
    return wanted.empty() || std::ranges::find(wanted, what) != wanted.end();
  };
  for (const Strategy& strategy : contended_strategies()) {
    if (wants("contended")) contended(strategy, 100);
  }
  for (std::uint32_t clients = 1000; clients <= 1'000'000; clients *= 10) {
    if (wants("outage")) outage(clients);
  }
  for (std::uint32_t clients = 1000; clients <= 1'000'000; clients *= 10) {
    if (wants("engine")) herd(clients);
  }
}
