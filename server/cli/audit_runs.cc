// SPDX-License-Identifier: MIT
#include "server/cli/audit_runs.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "server/cli/seeds.h"
#include "server/runs/live_run.h"
#include "server/scenario/asked.h"

namespace retrylab::cli {
namespace {

using Clock = std::chrono::steady_clock;

// How often to look whether clients have connected.
constexpr Duration kLook = std::chrono::milliseconds(20);
// A client that takes longer to connect makes room for others.
constexpr auto kSlowStart = std::chrono::seconds(3);

struct Job {
  audit::Case* one = nullptr;
  std::uint32_t number = 1;
};

struct Slot {
  Job job;
  std::unique_ptr<runs::LiveRun> run;
  Clock::time_point started;
  bool has_connected = false;
};

class AuditRuns {
 public:
  AuditRuns(const std::vector<AuditTask>& tasks, const AuditOptions& options,
            runner::Supervisor& supervisor, Progress& progress, AuditRemarks& remarks)
      : options_(options), supervisor_(supervisor), progress_(progress), remarks_(remarks) {
    for (const AuditTask& task : tasks) {
      task.one->runs.clear();
      for (std::uint32_t i = 1; i <= task.repeat; ++i) jobs_.push_back({task.one, i});
    }
  }

  Result<void> run() {
    while (has_more() || supervisor_.running() > 0) {
      look_for_connections();
      while (has_more() && may_start()) {
        if (auto started = start(jobs_[next_]); !started) return started;
        ++next_;
      }
      if (supervisor_.running() == 0) continue;
      if (auto ended = supervisor_.next_ended_within(kLook)) finish(std::move(*ended));
    }
    return {};
  }

 private:
  bool has_more() const { return next_ < jobs_.size() && !supervisor_.signal(); }

  bool may_start() {
    if (slots_.size() >= options_.jobs) return false;
    const auto now = Clock::now();
    const auto starting = std::ranges::count_if(slots_, [now](const auto& entry) {
      return !entry.second.has_connected && now - entry.second.started < kSlowStart;
    });
    return starting < options_.starting;
  }

  // What a client did before its first request is its start, which others may have slowed down.
  void look_for_connections() {
    for (auto& [number, slot] : slots_) {
      if (slot.has_connected || slot.run->snapshot().connections_opened == 0) continue;
      slot.has_connected = true;
      supervisor_.restart_time(number);
    }
  }

  Result<void> start(const Job& job) {
    Slot slot{.job = job, .run = nullptr, .started = Clock::now()};
    auto run = runs::LiveRun::start(job.one->scenario, loop_,
                                    {.number = job.number,
                                     .seed = run_seed(options_.seed, job.number),
                                     .command = job.one->command});
    if (!run) return tl::unexpected(run.error());
    slot.run = std::move(*run);
    const std::size_t number = ++started_;
    auto command = runner::make_command(options_.client, options_.variables,
                                        target_of(job, slot.run->urls().front(), number));
    command.errors = options_.errors;
    if (auto client = supervisor_.start(number, command); !client) return client;
    slots_.emplace(number, std::move(slot));
    return {};
  }

  runner::Target target_of(const Job& job, const std::string& url, std::size_t number) const {
    const auto asked = scenario::asked_request(job.one->scenario);
    return {.url = url,
            .admin_url = "",
            .run = fmt::format("{}", job.number),
            .outcome_file = supervisor_.outcome_file(number),
            .method = asked.method,
            .path = asked.path,
            .body = asked.body,
            .key = asked.key ? client_key(options_.seed, number) : ""};
  }

  void finish(runner::Ended ended) {
    auto slot = std::move(slots_.extract(ended.client).mapped());
    audit::Case& one = *slot.job.one;
    slot.run->client_ended(std::move(ended.end));
    one.runs.push_back(slot.run->stop());
    std::ranges::sort(one.runs, {}, &journal::Run::number);
    if (ended.left_behind > 0) remarks_.left_behind[one.scenario.name] += ended.left_behind;
    remarks_.output_bytes += ended.output_bytes;
    progress_.step();
  }

  const AuditOptions& options_;
  runner::Supervisor& supervisor_;
  Progress& progress_;
  AuditRemarks& remarks_;
  std::vector<Job> jobs_;
  std::size_t next_ = 0;
  std::size_t started_ = 0;
  std::map<std::size_t, Slot> slots_;
  runs::Loop loop_;
};

}  // namespace

Result<void> run_audit(const std::vector<AuditTask>& tasks, const AuditOptions& options,
                       runner::Supervisor& supervisor, Progress& progress, AuditRemarks& remarks) {
  return AuditRuns(tasks, options, supervisor, progress, remarks).run();
}

}  // namespace retrylab::cli
