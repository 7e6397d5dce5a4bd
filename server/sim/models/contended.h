// SPDX-License-Identifier: MIT
// Clients that contend for one row: the model behind the AWS Architecture Blog's "Exponential
// Backoff And Jitter". Each of N clients must update the row once under optimistic concurrency
// control: it reads the version, writes with it, and begins again after its backoff when another
// write came in between. Every hop takes |Normal(10 ms, sd 2 ms)|; the server takes no time.
//
// The waits are the retry decision's own (next_move), with attempts and time without limit.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "client_lib/retry/policy.h"
#include "server/sim/event_log.h"

namespace retrylab::sim {

struct Contended {
  std::uint32_t clients = 1;
  Backoff backoff;
  std::uint64_t seed = 1;
  EventLog* log = nullptr;
};

struct ContendedResult {
  std::uint64_t calls = 0;  // writes; reads do not count
  Duration time{0};         // the last client learns that its write was done
  std::uint64_t events = 0;
  std::vector<std::uint32_t> arrivals;  // of writes at the server, per 10 ms
};

ContendedResult run_contended(const Contended& model);

// The five strategies of the article: base 5 ms, cap 2 s, the first ceiling doubled.
struct Strategy {
  std::string_view name;  // None, Exponential, EqualJitter, FullJitter, Decorr
  Backoff backoff;
};
std::array<Strategy, 5> contended_strategies();

}  // namespace retrylab::sim
