// SPDX-License-Identifier: MIT
#include "server/control/live_entry.h"

#include <utility>

#include <fmt/format.h>

#include "server/report/report.h"

namespace retrylab::control {
namespace {

// A loop that has not answered by then is in trouble; its run goes on all the same.
constexpr Duration kLimit = std::chrono::seconds(5);

}  // namespace

LiveRuns::Entry::Entry(NewRun order, runs::RunOptions options, bool resets)
    : order_(std::move(order)),
      options_(std::move(options)),
      resets_(resets),
      tap_(options_.sink),
      started_(std::chrono::system_clock::now()),
      seed_(options_.seed) {
  options_.sink = &tap_;
}

Result<void> LiveRuns::Entry::start(runs::Loop& loop) {
  auto run = runs::LiveRun::start(*order_.scenario, loop, options_);
  if (!run) return tl::unexpected(run.error());
  run_ = std::move(*run);
  urls_ = run_->urls();
  if (order_.ttl) {
    const auto now = Clock::now();
    const bool endless = *order_.ttl > Clock::time_point::max() - now;
    expires_ = endless ? Clock::time_point::max() : now + *order_.ttl;
  }
  return {};
}

tl::unexpected<Problem> LiveRuns::Entry::gone() const {
  return problem(Problem::Type::unknown_run, fmt::format("run {} has ended", options_.number));
}

tl::unexpected<Problem> LiveRuns::Entry::busy() const {
  return problem(Problem::Type::busy,
                 fmt::format("run {} has not answered for 5 seconds", options_.number));
}

bool LiveRuns::Entry::alive() const {
  const std::shared_lock lock(mutex_);
  return run_ != nullptr;
}

RunInfo LiveRuns::Entry::info() const {
  RunInfo info{.id = options_.number,
               .url = urls_.front(),
               .scenario_name = order_.scenario->name,
               .scenario_about = order_.scenario->about,
               .scenario_hash = order_.scenario->hash,
               .seed = seed_,
               .command = options_.command,
               .started = started_,
               .resets = resets_done_};
  if (expires_) info.ttl_left = std::max(Duration{0}, Duration(*expires_ - Clock::now()));
  const std::shared_lock lock(mutex_);
  const auto stats = run_ ? run_->stats(kLimit) : std::nullopt;
  if (!stats) return info;
  info.attempts = stats->counts.attempts_begun;
  info.faults = stats->counts.faults;
  info.connections = stats->counts.connections_opened;
  info.open_connections = stats->open_connections;
  info.resources = stats->counts.resources;
  info.dropped = stats->counts.dropped;
  info.steps_unused = stats->steps_unused;
  info.worst_lag = stats->counts.worst_lag;
  return info;
}

Expected<Progress> LiveRuns::Entry::progress() const {
  const std::shared_lock lock(mutex_);
  if (!run_) return gone();
  const auto stats = run_->stats(kLimit);
  if (!stats) return busy();
  const auto& counts = stats->counts;
  return Progress{.attempts_over = counts.attempts_over,
                  .attempts_under_way = counts.attempts_begun - counts.attempts_over,
                  .script_used_up = stats->steps_unused == 0,
                  .quiet = stats->quiet};
}

Expected<std::size_t> LiveRuns::Entry::timers() const {
  const std::shared_lock lock(mutex_);
  if (!run_) return gone();
  const auto timers = run_->timers(kLimit);
  if (!timers) return busy();
  return *timers;
}

Expected<Evidence> LiveRuns::Entry::evidence() const {
  const std::shared_lock lock(mutex_);
  if (!run_) return gone();
  auto run = run_->snapshot(kLimit);
  if (!run) return busy();
  return Evidence{order_.scenario, std::move(*run)};
}

Expected<std::shared_ptr<JournalLog>> LiveRuns::Entry::journal(std::size_t bytes_max) {
  const std::shared_lock lock(mutex_);
  if (!run_) return gone();
  const std::lock_guard log_lock(log_mutex_);
  if (!log_) log_ = start_log(bytes_max);
  return log_;
}

// What was recorded so far is copied on the loop's thread and written on this one.
std::shared_ptr<JournalLog> LiveRuns::Entry::start_log(std::size_t bytes_max) {
  const auto log = std::make_shared<JournalLog>(bytes_max);
  std::optional<journal::Recorder::Copy> before;
  run_->with_journal([&](const journal::Recorder& recorder) {
    before = recorder.copy();
    tap_.start(log, options_.number);
  });
  journal::NdjsonSink sink([&log](std::string_view line) { log->fill(line, 0); },
                           std::string(report::version()));
  write_ndjson(std::move(*before).unpack(), sink);
  log->open();
  return log;
}

Expected<void> LiveRuns::Entry::reset(std::optional<std::uint64_t> seed) {
  if (!resets_) {
    return problem(Problem::Type::conflict,
                   "serve --journal writes this run into a file, which has room for one");
  }
  const std::shared_lock lock(mutex_);
  if (!run_) return gone();
  if (seed) seed_ = *seed;
  run_->restart(seed_);
  ++resets_done_;
  return {};
}

void LiveRuns::Entry::client_ended(journal::ClientEnd end) {
  const std::shared_lock lock(mutex_);
  if (run_) run_->client_ended(std::move(end));
}

bool LiveRuns::Entry::take_over(int descriptor, const std::string& client) {
  if (options_.door != nullptr) return false;
  const std::shared_lock lock(mutex_, std::try_to_lock);
  if (!lock || !run_) return false;
  run_->adopt(descriptor, client);
  return true;
}

std::optional<journal::Run> LiveRuns::Entry::close() {
  const std::unique_lock lock(mutex_);
  if (!run_) return std::nullopt;
  journal::Run run = run_->stop();
  run_.reset();
  const std::lock_guard log_lock(log_mutex_);
  if (log_) log_->close();
  return run;
}

}  // namespace retrylab::control
