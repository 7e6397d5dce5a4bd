// SPDX-License-Identifier: MIT
// One run of LiveRuns: what it was started from, the live run, its tap and its log. Thread-safe;
// calls for a run that is closed meanwhile answer with unknown_run.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>

#include "server/control/journal_tap.h"
#include "server/control/live_runs.h"

namespace retrylab::control {

class LiveRuns::Entry {
 public:
  // `resets`: whether reset() is allowed.
  Entry(NewRun order, runs::RunOptions options, bool resets);

  Result<void> start(runs::Loop& loop);
  bool alive() const;
  // Of a closed run: what was last known.
  RunInfo info() const;
  Expected<Progress> progress() const;
  std::uint64_t activity() const { return tap_.activity(); }
  const std::string& text() const { return order_.text; }
  const std::vector<std::string>& urls() const { return urls_; }
  void client_ended(journal::ClientEnd end);
  std::optional<Clock::time_point> expires() const { return expires_; }
  Expected<Evidence> evidence() const;
  Expected<std::shared_ptr<JournalLog>> journal(std::size_t bytes_max);
  Expected<std::size_t> timers() const;
  Expected<void> reset(std::optional<std::uint64_t> seed);
  // False when it is the main run itself, or ends at this moment. Never waits.
  bool take_over(int descriptor, const std::string& client);
  // Ends the run: its whole journal; nothing when it was closed already.
  std::optional<journal::Run> close();

 private:
  tl::unexpected<Problem> gone() const;
  tl::unexpected<Problem> busy() const;
  std::shared_ptr<JournalLog> start_log(std::size_t bytes_max);

  NewRun order_;
  runs::RunOptions options_;
  const bool resets_;
  JournalTap tap_;
  std::vector<std::string> urls_;
  WallTime started_;
  std::optional<Clock::time_point> expires_;
  std::atomic<std::uint64_t> seed_;
  std::atomic<std::uint64_t> resets_done_{0};
  // Shared by calls to the run, exclusive for close().
  mutable std::shared_mutex mutex_;
  std::unique_ptr<runs::LiveRun> run_;
  std::mutex log_mutex_;
  std::shared_ptr<JournalLog> log_;
};

}  // namespace retrylab::control
