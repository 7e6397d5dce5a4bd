// SPDX-License-Identifier: MIT
// Conditions of a run that a verdict can wait for.
//
//   conditions = condition *( "," condition )                 all of them
//   condition  = "attempts:" digits     so many attempts are over
//              | "quiet:" duration      none began, and none was under way, for so long; at least
//                                       one has begun
//              | "script_used_up"       every script position has been claimed
#pragma once

#include <optional>
#include <string_view>

#include "server/control/api.h"
#include "server/control/problem.h"
#include "server/control/runs.h"

namespace retrylab::control {

struct Conditions {
  std::uint64_t attempts = 0;
  std::optional<Duration> quiet;
  bool script_used_up = false;
};

Expected<Conditions> parse_conditions(std::string_view text);

bool met(const Conditions& conditions, const Progress& progress);

struct Waited {
  bool met = false;
  Duration time{0};
};

// Until the conditions are met, `limit` is over or the process stops. Problems: those of
// Runs::progress.
Expected<Waited> wait(const Conditions& conditions, Duration limit, RunId id, Context& context);

}  // namespace retrylab::control
