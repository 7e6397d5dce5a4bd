// SPDX-License-Identifier: MIT
#include "server/control/run_info.h"

#include <chrono>

#include <date/date.h>
#include <fmt/format.h>

namespace retrylab::control {

Json to_json(const RunInfo& info) {
  using std::chrono::milliseconds;
  const auto started = std::chrono::floor<milliseconds>(info.started);
  const Json ttl =
      info.ttl_left ? Json(std::chrono::ceil<milliseconds>(*info.ttl_left).count()) : Json(nullptr);
  return {
      {"id", fmt::format("{}", info.id)},
      {"url", info.url},
      {"scenario",
       {{"name", info.scenario_name},
        {"about", info.scenario_about},
        {"hash", info.scenario_hash}}},
      {"seed", info.seed},
      {"command", text_or_null(info.command)},
      {"started", date::format("%FT%TZ", started)},
      {"ttl_ms", ttl},
      {"resets", info.resets},
      {"attempts", info.attempts},
      {"faults", info.faults},
      {"connections", info.connections},
      {"open_connections", info.open_connections},
      {"resources", info.resources},
      {"dropped", info.dropped},
      {"script", {{"unused", info.steps_unused}, {"used_up", info.steps_unused == 0}}},
  };
}

}  // namespace retrylab::control
