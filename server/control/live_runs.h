// SPDX-License-Identifier: MIT
// Runs over real sockets, spread over a few event loops. The ones that `serve` was started with
// and those that come over the API are alike.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "client_lib/base/result.h"
#include "server/control/runs.h"
#include "server/net/door.h"
#include "server/runs/live_run.h"
#include "server/runs/loop_pool.h"

namespace retrylab::control {

struct LiveRunsOptions {
  std::string listen = "127.0.0.1";  // of runs that come over the API
  RunId ids_after = 0;               // those up to here are given out by adopt()'s caller
  std::size_t runs_max = 1'000;
  std::size_t log_bytes_max = 32'000'000;  // per run
  // The seed of a run that has none, given the scenario's; the command line that serves a
  // scenario of the catalogue with a seed.
  std::function<std::uint64_t(std::optional<std::uint64_t>)> choose_seed;
  std::function<std::string(const std::string& name, std::uint64_t seed)> command;
  journal::Redaction redaction = journal::Redaction();
};

// A run for serve itself.
struct Adoption {
  NewRun order;
  runs::RunOptions options;                // number aside
  std::optional<RunId> id = std::nullopt;  // default: the next one
  bool resets = true;  // false: its journal goes into a file, which holds one run
  bool main = false;   // its port leads to the other runs too, by X-Retrylab-Run
};

class LiveRuns final : public Runs, private net::Door {
 public:
  // `loops` outlives the runs.
  LiveRuns(runs::LoopPool& loops, LiveRunsOptions options);
  ~LiveRuns() override;

  // The caller ends it by stop(), unless somebody else does before.
  Result<RunInfo> adopt(Adoption adoption);
  // Of a run's listeners; none when it has ended.
  std::vector<std::string> urls(RunId id) const;
  // LiveRun::client_ended, unless the run has ended.
  void client_ended(RunId id, journal::ClientEnd end);
  // Ends a run and hands over its whole journal; nothing when the run has ended before.
  std::optional<journal::Run> stop(RunId id);

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

 private:
  // For the main run's loop, which must not wait for a run.
  bool leads_elsewhere() const override { return alive_ > 1; }
  bool hand_over(std::string_view head, int descriptor, const std::string& client) override;

  class Entry;
  using Clock = std::chrono::steady_clock;

  Expected<std::shared_ptr<Entry>> find(RunId id) const;
  Expected<void> end(RunId id, Change::Why why);
  // Null when somebody else has taken it.
  std::shared_ptr<Entry> take(RunId id, Change::Why why);
  RunId next_id();
  Result<std::shared_ptr<Entry>> open(NewRun order, runs::RunOptions options, bool resets);
  void expire_at(Clock::time_point at);
  void reap();

  runs::LoopPool& loops_;
  LiveRunsOptions options_;
  Changes changes_;
  mutable std::mutex mutex_;
  std::map<RunId, std::shared_ptr<Entry>> entries_;
  std::map<RunId, Change::Why> gone_;  // the last that ended, and how
  std::atomic<std::size_t> alive_{0};
  RunId last_ = 0;
  std::condition_variable sooner_;
  Clock::time_point next_expiry_ = Clock::time_point::max();
  bool stopping_ = false;
  std::thread reaper_;  // from the first ttl on
};

}  // namespace retrylab::control
