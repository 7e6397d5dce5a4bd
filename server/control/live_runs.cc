// SPDX-License-Identifier: MIT
#include "server/control/live_runs.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "client_lib/base/check.h"
#include "server/control/live_entry.h"
#include "server/control/query.h"
#include "server/runs/run_header.h"

namespace retrylab::control {
namespace {

constexpr std::size_t kGoneKept = 1'000;

// Of the header of a first request; nothing without one, or when it is no number.
std::optional<RunId> run_named_in(std::string_view head) {
  const auto headers = journal::parse_headers(head);
  const auto named = find_header(headers, runs::kRunHeader);
  const auto number = named ? parse_count(*named) : std::nullopt;
  if (!number || *number > UINT32_MAX) return std::nullopt;
  return static_cast<RunId>(*number);
}

std::string_view how_it_ended(Change::Why why) {
  if (why == Change::Why::ttl) return "its ttl is over";
  return why == Change::Why::deleted ? "it was deleted" : "serve has ended it";
}

}  // namespace

LiveRuns::LiveRuns(runs::LoopPool& loops, LiveRunsOptions options)
    : loops_(loops), options_(std::move(options)), last_(options_.ids_after) {}

LiveRuns::~LiveRuns() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  sooner_.notify_all();
  if (reaper_.joinable()) reaper_.join();
  changes_.close();
  for (auto& [id, entry] : entries_) entry->close();
}

RunId LiveRuns::next_id() {
  const std::lock_guard lock(mutex_);
  return ++last_;
}

Result<std::shared_ptr<LiveRuns::Entry>> LiveRuns::open(NewRun order, runs::RunOptions options,
                                                        bool resets) {
  options.redaction = options_.redaction;
  auto entry = std::make_shared<Entry>(std::move(order), std::move(options), resets);
  if (auto started = entry->start(loops_.next()); !started) {
    return tl::unexpected(started.error());
  }
  const RunInfo info = entry->info();
  const std::lock_guard lock(mutex_);
  entries_.emplace(info.id, entry);
  alive_ = entries_.size();
  if (const auto expires = entry->expires()) expire_at(*expires);
  changes_.add({Change::Why::started, info});
  return entry;
}

bool LiveRuns::hand_over(std::string_view head, int descriptor, const std::string& client) {
  const auto id = run_named_in(head);
  if (!id) return false;
  const auto entry = find(*id);
  return entry && (*entry)->take_over(descriptor, client);
}

Result<RunInfo> LiveRuns::adopt(Adoption adoption) {
  if (adoption.main) adoption.options.door = this;
  adoption.options.number = adoption.id ? *adoption.id : next_id();
  auto entry = open(std::move(adoption.order), std::move(adoption.options), adoption.resets);
  if (!entry) return tl::unexpected(entry.error());
  return (*entry)->info();
}

Expected<RunInfo> LiveRuns::start(NewRun order) {
  {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= options_.runs_max) {
      return problem(Problem::Type::limit_reached,
                     fmt::format("{} runs are alive, which is the most: delete some, or give them "
                                 "a ttl",
                                 entries_.size()));
    }
  }
  const std::uint64_t seed = order.seed ? *order.seed : options_.choose_seed(order.scenario->seed);
  runs::RunOptions options{
      .number = next_id(),
      .seed = seed,
      .command = order.catalogue.empty() ? "" : options_.command(order.catalogue, seed),
      .listen = options_.listen,
      .one_process = false};
  auto entry = open(std::move(order), std::move(options), true);
  if (!entry) return problem(Problem::Type::cannot_listen, entry.error().message);
  return (*entry)->info();
}

Expected<std::shared_ptr<LiveRuns::Entry>> LiveRuns::find(RunId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found != entries_.end()) return found->second;
  const auto gone = gone_.find(id);
  return problem(Problem::Type::unknown_run,
                 gone == gone_.end()
                     ? fmt::format("no run {} is alive; GET /runs lists them", id)
                     : fmt::format("run {} has ended: {}", id, how_it_ended(gone->second)));
}

std::vector<RunInfo> LiveRuns::list() const {
  std::vector<std::shared_ptr<Entry>> entries;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, entry] : entries_) entries.push_back(entry);
  }
  std::vector<RunInfo> infos;
  for (const auto& entry : entries) {
    if (entry->alive()) infos.push_back(entry->info());
  }
  return infos;
}

Expected<RunInfo> LiveRuns::info(RunId id) const {
  return find(id).map([](const auto& entry) { return entry->info(); });
}

Expected<Progress> LiveRuns::progress(RunId id) const {
  return find(id).and_then([](const auto& entry) { return entry->progress(); });
}

std::vector<std::pair<RunId, std::uint64_t>> LiveRuns::activities() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<RunId, std::uint64_t>> activities;
  for (const auto& [id, entry] : entries_) activities.emplace_back(id, entry->activity());
  return activities;
}

Expected<std::string> LiveRuns::scenario_text(RunId id) const {
  return find(id).map([](const auto& entry) { return entry->text(); });
}

Expected<Evidence> LiveRuns::evidence(RunId id) const {
  return find(id).and_then([](const auto& entry) { return entry->evidence(); });
}

Expected<std::shared_ptr<JournalLog>> LiveRuns::journal(RunId id) {
  return find(id).and_then(
      [this](const auto& entry) { return entry->journal(options_.log_bytes_max); });
}

Expected<std::size_t> LiveRuns::timers(RunId id) const {
  return find(id).and_then([](const auto& entry) { return entry->timers(); });
}

Expected<RunInfo> LiveRuns::reset(RunId id, std::optional<std::uint64_t> seed) {
  return find(id).and_then([&](const auto& entry) -> Expected<RunInfo> {
    if (auto done = entry->reset(seed); !done) return tl::unexpected(std::move(done.error()));
    RunInfo info = entry->info();
    changes_.add({Change::Why::reset, info});
    return info;
  });
}

std::shared_ptr<LiveRuns::Entry> LiveRuns::take(RunId id, Change::Why why) {
  const std::lock_guard lock(mutex_);
  auto node = entries_.extract(id);
  if (node.empty()) return nullptr;
  alive_ = entries_.size();
  gone_.emplace(id, why);
  if (gone_.size() > kGoneKept) gone_.erase(gone_.begin());
  return std::move(node.mapped());
}

Expected<void> LiveRuns::end(RunId id) {
  return end(id, Change::Why::deleted);
}

Expected<void> LiveRuns::end(RunId id, Change::Why why) {
  const auto entry = take(id, why);
  if (entry == nullptr) return find(id).map([](const auto&) {});
  const RunInfo last = entry->info();
  entry->close();
  changes_.add({why, last});
  return {};
}

std::vector<std::string> LiveRuns::urls(RunId id) const {
  const auto entry = find(id);
  return entry ? (*entry)->urls() : std::vector<std::string>{};
}

void LiveRuns::client_ended(RunId id, journal::ClientEnd end) {
  if (const auto entry = find(id)) (*entry)->client_ended(std::move(end));
}

std::optional<journal::Run> LiveRuns::stop(RunId id) {
  const auto entry = take(id, Change::Why::stopped);
  if (entry == nullptr) return std::nullopt;
  const RunInfo last = entry->info();
  auto run = entry->close();
  changes_.add({Change::Why::stopped, last});
  return run;
}

// Under the lock.
void LiveRuns::expire_at(Clock::time_point at) {
  if (!reaper_.joinable()) reaper_ = std::thread([this] { reap(); });
  if (at >= next_expiry_) return;
  next_expiry_ = at;
  sooner_.notify_all();
}

void LiveRuns::reap() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto until = next_expiry_;
    sooner_.wait_until(lock, until, [&] { return stopping_ || next_expiry_ < until; });
    const auto now = Clock::now();
    if (stopping_ || now < next_expiry_) continue;
    std::vector<RunId> due;
    next_expiry_ = Clock::time_point::max();
    for (const auto& [id, entry] : entries_) {
      const auto expires = entry->expires();
      if (!expires) continue;
      if (*expires <= now) {
        due.push_back(id);
      } else {
        next_expiry_ = std::min(next_expiry_, *expires);
      }
    }
    lock.unlock();
    for (const RunId id : due) (void)end(id, Change::Why::ttl);
    lock.lock();
  }
}

}  // namespace retrylab::control
