// SPDX-License-Identifier: MIT
// The runs of this process, as the endpoints see them. Thread-safe; no call waits for a client,
// and none longer than a few seconds for a run's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client_lib/base/time.h"
#include "server/control/changes.h"
#include "server/control/journal_log.h"
#include "server/control/problem.h"
#include "server/control/run_info.h"
#include "server/journal/record.h"
#include "server/scenario/scenario.h"

namespace retrylab::control {

struct NewRun {
  std::shared_ptr<const scenario::Scenario> scenario;
  std::string text;       // of the scenario
  std::string catalogue;  // its name there; "" : it came as text
  std::optional<std::uint64_t> seed = std::nullopt;
  std::optional<Duration> ttl = std::nullopt;
};

// What a verdict is made from.
struct Evidence {
  std::shared_ptr<const scenario::Scenario> scenario;
  journal::Run run;
};

// What conditions of `wait` ask for, cheaper than a RunInfo.
struct Progress {
  std::uint64_t attempts_over = 0;
  std::uint64_t attempts_under_way = 0;
  bool script_used_up = false;
  std::optional<Duration> quiet;  // no attempt has begun or been under way for so long
};

class Runs {
 public:
  virtual ~Runs() = default;

  // Takes requests when this returns.
  virtual Expected<RunInfo> start(NewRun order) = 0;
  virtual std::vector<RunInfo> list() const = 0;  // oldest first
  virtual Expected<RunInfo> info(RunId id) const = 0;
  virtual Expected<Progress> progress(RunId id) const = 0;
  // Of each run a number that grows with every record; costs next to nothing.
  virtual std::vector<std::pair<RunId, std::uint64_t>> activities() const = 0;
  virtual Expected<std::string> scenario_text(RunId id) const = 0;
  // With every attempt whose response began before the call.
  virtual Expected<Evidence> evidence(RunId id) const = 0;
  // From the first call on the run keeps its journal's lines.
  virtual Expected<std::shared_ptr<JournalLog>> journal(RunId id) = 0;
  virtual Expected<std::size_t> timers(RunId id) const = 0;
  virtual Expected<RunInfo> reset(RunId id, std::optional<std::uint64_t> seed) = 0;
  // Its port, connections, timers and journal are gone when this returns.
  virtual Expected<void> end(RunId id) = 0;
  virtual Changes& changes() = 0;
};

}  // namespace retrylab::control
