// SPDX-License-Identifier: MIT
// Many clients with one policy against a light service (service.h), in virtual time: a million of
// them fit. Every operation asks the retry decision (next_move), each client with its own budget
// and breaker, each operation with its own streams: a client more, or another policy, changes no
// draw of the others.
#pragma once

#include <cstdint>
#include <optional>

#include "client_lib/retry/policy.h"
#include "server/sim/event_log.h"
#include "server/sim/measures.h"
#include "server/sim/models/service.h"
#include "server/sim/network.h"

namespace retrylab::sim {

// When a client begins operations.
struct Arrivals {
  enum class Kind {
    at_once,  // one each, at time zero
    poisson,  // each client, independent of its earlier ones
    even,     // all clients in turn, at equal distances
  };
  Kind kind = Kind::at_once;
  Duration interval{std::chrono::seconds(1)};  // of one client, the mean (poisson)
  std::uint64_t per_second = 1;                // of all clients together (even)
  Duration length{0};                          // no operation begins from then on
  // Twice as many between these two (poisson).
  Duration surge_from{0};
  Duration surge_until{0};
};

struct Fleet {
  std::uint32_t clients = 1;
  Policy policy;
  Arrivals arrivals;
  Network network;
  std::optional<Ratio> lifetime_share;  // no retry while more of a client's attempts had failed
  std::optional<Instant> recovery;      // for the time to drain
  std::uint64_t seed = 1;
  std::uint64_t events_max = 1'000'000'000;
  Duration time_max{std::chrono::hours(24)};
  EventLog* log = nullptr;
};

struct FleetResult {
  Measures measures;
  enum class Stopped { no, events, time };
  Stopped stopped = Stopped::no;  // at a limit, with operations unfinished
};

FleetResult run_fleet(const Fleet& fleet, Service& service);

}  // namespace retrylab::sim
