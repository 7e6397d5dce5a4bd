// SPDX-License-Identifier: MIT
// What the API says of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client_lib/base/time.h"
#include "server/control/json_text.h"

namespace retrylab::control {

// 1-based, in the order of their start; never used again. It is the run's number in the journal.
using RunId = std::uint32_t;

struct RunInfo {
  RunId id = 0;
  std::string url;
  std::string scenario_name;
  std::string scenario_about;
  std::string scenario_hash;
  std::uint64_t seed = 0;
  std::string command;  // "" : none serves the same
  WallTime started;
  std::optional<Duration> ttl_left;
  std::uint64_t resets = 0;
  std::uint64_t attempts = 0;
  std::uint64_t faults = 0;
  std::uint64_t connections = 0;
  std::uint64_t open_connections = 0;
  std::uint64_t resources = 0;
  std::uint64_t dropped = 0;
  std::uint32_t steps_unused = 0;
  Duration worst_lag{0};
};

// openapi.json: Run.
Json to_json(const RunInfo& info);

}  // namespace retrylab::control
