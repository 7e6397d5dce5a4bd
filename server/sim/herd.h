// SPDX-License-Identifier: MIT
// A herd of clients with one policy against a scenario's own engine, in virtual time: the same
// engine and the same retry decision as over sockets. No thread, no sleep, no socket.
//
// Same scenario, herd and seed: the same run. Another policy, or a client more, changes no draw
// of the others: each client has its own streams for its arrivals, its network and its jitter.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client_lib/base/result.h"
#include "client_lib/retry/policy.h"
#include "server/scenario/scenario.h"
#include "server/sim/event_log.h"
#include "server/sim/measures.h"
#include "server/sim/network.h"

namespace retrylab::sim {

struct Herd {
  std::uint32_t clients = 1;
  Policy policy;
  // Services between the clients and the scenario's server, from the clients down, that each retry
  // the one below. One of each: all clients' calls share its budget and its breaker.
  std::vector<Policy> services;
  // Closed loop: all clients begin at time zero, and each makes so many operations in turn.
  std::uint32_t operations = 1;
  Duration think{0};  // between two of them
  // Open loop instead: each client's operations begin in a Poisson stream with this mean
  // distance, until `length`, however many are under way.
  std::optional<Duration> interval;
  Duration length{0};
  // So many a second in all come at equal distances instead, the clients in turn; 0: Poisson.
  std::uint32_t evenly_per_second = 0;
  Network network;
  std::uint64_t seed = 1;
  std::uint64_t events_max = 100'000'000;
  Duration time_max{std::chrono::hours(24)};
  EventLog* log = nullptr;
};

struct HerdResult {
  Measures measures;
  enum class Stopped { no, events, time };
  Stopped stopped = Stopped::no;  // at a limit, before every operation was over
};

// What makes the herd impossible, as an error with the flag's name; nothing otherwise.
Result<void> check_herd(const scenario::Scenario& scenario, const Herd& herd);

// The herd has been checked.
HerdResult run_herd(const scenario::Scenario& scenario, const Herd& herd);

}  // namespace retrylab::sim
