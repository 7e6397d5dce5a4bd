// SPDX-License-Identifier: MIT
// Runs that no socket stands behind, and time that passes when somebody waits.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/control/api.h"
#include "server/control/runs.h"

namespace retrylab::control {

class FakeRuns final : public Runs {
 public:
  // A run that exists, with this progress.
  RunId add(Progress progress = {});

  Expected<RunInfo> start(NewRun order) override;
  std::vector<RunInfo> list() const override;
  Expected<RunInfo> info(RunId id) const override;
  Expected<Progress> progress(RunId id) const override;
  std::vector<std::pair<RunId, std::uint64_t>> activities() const override;
  Expected<std::string> scenario_text(RunId id) const override;
  Expected<Evidence> evidence(RunId id) const override;
  Expected<std::shared_ptr<JournalLog>> journal(RunId id) override;
  Expected<std::size_t> timers(RunId id) const override;
  Expected<RunInfo> reset(RunId id, std::optional<std::uint64_t> seed) override;
  Expected<void> end(RunId id) override;
  Changes& changes() override { return changes_; }

  std::map<RunId, Progress> progress_of;
  std::vector<NewRun> started;
  // Thrown by every call that names a run, when it is set.
  std::string failure;

 private:
  Expected<RunInfo> find(RunId id) const;

  Changes changes_;
  std::shared_ptr<JournalLog> log_ = std::make_shared<JournalLog>(1'000);
};

class FakeClock final : public WaitClock {
 public:
  Instant now() const override { return now_; }
  bool pause(Duration time) override;

  std::function<void()> meanwhile;  // at every pause
  bool stopped = false;

 private:
  Instant now_;
};

}  // namespace retrylab::control
