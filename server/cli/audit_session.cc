// SPDX-License-Identifier: MIT
#include "server/cli/audit_session.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/audit/audit_set.h"
#include "server/audit/policy_card.h"
#include "server/audit/scorecard.h"
#include "server/audit/spoiled.h"
#include "server/cli/audit_runs.h"
#include "server/cli/print.h"
#include "server/cli/scenario_source.h"
#include "server/cli/seeds.h"
#include "server/cli/terminal.h"
#include "server/cli/write_to.h"
#include "server/report/audit/audit_report.h"

namespace retrylab::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Duration kQuickTimeout = std::chrono::seconds(20);
constexpr Duration kFullTimeout = std::chrono::seconds(90);
// No second look at what was inconclusive when the first has taken longer.
constexpr auto kRerunUntil = std::chrono::minutes(3);
constexpr std::uint64_t kMuchOutput = 1'000'000;

// The line that runs one scenario of the audit again; its own profile stays.
std::string again(const AuditFlags& flags, const Invocation& invocation,
                  const audit::SetEntry& entry, std::uint32_t repeat, std::uint64_t seed,
                  bool has_own_profile) {
  std::vector<std::string> words{invocation.program, "run", std::string(entry.scenario)};
  const auto add = [&](const std::string& flag, const std::string& value) {
    words.push_back(flag);
    words.push_back(value);
  };
  if (repeat > 1) add("--repeat", fmt::format("{}", repeat));
  if (!flags.profile.empty() && !has_own_profile) add("--profile", flags.profile);
  for (const auto& variable : flags.variables) add("--env", variable);
  add("--seed", fmt::format("{}", seed));
  words.emplace_back("--");
  words.insert(words.end(), invocation.client.begin(), invocation.client.end());
  return shell_line(words);
}

// The line that does the whole audit again.
std::string whole_again(const AuditFlags& flags, const Invocation& invocation, std::uint64_t seed) {
  std::vector<std::string> words{invocation.program, "audit"};
  const auto add = [&](const std::string& flag, const std::string& value) {
    words.push_back(flag);
    words.push_back(value);
  };
  if (flags.quick) words.emplace_back("--quick");
  if (!flags.profile.empty()) add("--profile", flags.profile);
  if (flags.jobs != AuditFlags{}.jobs) add("--jobs", fmt::format("{}", flags.jobs));
  if (flags.timeout) add("--timeout", format_duration(*flags.timeout));
  for (const auto& variable : flags.variables) add("--env", variable);
  for (const auto& scenario : flags.only) add("--only", scenario);
  add("--seed", fmt::format("{}", seed));
  words.emplace_back("--");
  words.insert(words.end(), invocation.client.begin(), invocation.client.end());
  return shell_line(words);
}

// A descriptor that swallows what clients say: scores of them at once tell a reader nothing.
class Nowhere {
 public:
  Nowhere() : fd_(open("/dev/null", O_WRONLY | O_CLOEXEC)) {}
  ~Nowhere() {
    if (fd_ >= 0) close(fd_);
  }
  Nowhere(const Nowhere&) = delete;
  Nowhere& operator=(const Nowhere&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

class Audit {
 public:
  Audit(const AuditFlags& flags, const Invocation& invocation)
      : flags_(flags), invocation_(invocation), seed_(choose_seed(flags.seed, std::nullopt)) {}

  ExitCode run() {
    if (const auto loaded = load(); loaded != ExitCode::pass) return loaded;
    auto supervisor = runner::Supervisor::create(
        {.timeout = timeout(), .output = nowhere_.get(), .ends_orphans = true});
    if (!supervisor) return give_up(supervisor.error());
    const auto started = Clock::now();
    if (auto ran = run_all(**supervisor); !ran) return give_up(ran.error());
    if (const auto signal = (*supervisor)->signal()) return signalled(*signal);
    judge(tasks_);
    if (Clock::now() - started < kRerunUntil && !is_silent()) {
      if (auto ran = run_again(**supervisor); !ran) return give_up(ran.error());
    }
    if (const auto signal = (*supervisor)->signal()) return signalled(*signal);
    return report(Clock::now() - started);
  }

 private:
  Duration timeout() const {
    return flags_.timeout.value_or(flags_.quick ? kQuickTimeout : kFullTimeout);
  }

  bool is_wanted(const audit::SetEntry& entry) const {
    if (!flags_.only.empty()) {
      return std::ranges::find(flags_.only, entry.scenario) != flags_.only.end();
    }
    return (flags_.quick ? entry.quick : entry.full) > 0;
  }

  ExitCode load() {
    cases_.reserve(audit::audit_set().size());
    for (const audit::SetEntry& entry : audit::audit_set()) {
      if (!is_wanted(entry)) continue;
      auto scenario = load_scenario(std::string(entry.scenario));
      if (!scenario) return scenario.error();
      auto& profile = scenario->expect.profile;
      const bool has_own = !profile.empty();
      if (!has_own) profile = flags_.profile;
      const std::uint32_t repeat = std::max(flags_.quick ? entry.quick : entry.full, 1U);
      cases_.push_back({.scenario = std::move(*scenario),
                        .command = again(flags_, invocation_, entry, repeat, seed_, has_own)});
      tasks_.push_back({.one = &cases_.back(), .repeat = repeat});
    }
    return ExitCode::pass;
  }

  AuditOptions options(std::uint32_t jobs) const {
    return {.client = invocation_.client,
            .variables = flags_.variables,
            .jobs = jobs,
            .starting = std::max(1U, std::thread::hardware_concurrency()),
            .seed = seed_,
            .errors = nowhere_.get()};
  }

  Result<void> run_all(runner::Supervisor& supervisor) {
    std::size_t clients = 0;
    for (const AuditTask& task : tasks_) clients += task.repeat;
    Progress progress(clients, "clients");
    return run_audit(tasks_, options(flags_.jobs), supervisor, progress, remarks_);
  }

  // What was spoiled, once more and with fewer at a time.
  Result<void> run_again(runner::Supervisor& supervisor) {
    std::vector<AuditTask> spoiled;
    std::size_t clients = 0;
    for (const AuditTask& task : tasks_) {
      if (!audit::is_spoiled(*task.one)) continue;
      spoiled.push_back(task);
      clients += task.repeat;
    }
    Progress progress(clients, "clients again");
    auto ran =
        run_audit(spoiled, options(std::max(1U, flags_.jobs / 4)), supervisor, progress, remarks_);
    judge(spoiled);
    return ran;
  }

  static void judge(const std::vector<AuditTask>& tasks) {
    for (const AuditTask& task : tasks) {
      if (task.one->runs.empty()) continue;
      task.one->verdict = verify::verify(task.one->scenario, task.one->runs);
    }
  }

  bool is_silent() const {
    return std::ranges::all_of(cases_, [](const audit::Case& one) {
      return std::ranges::all_of(
          one.runs, [](const journal::Run& run) { return run.connections_opened == 0; });
    });
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (is_silent()) {
      notes.emplace_back(
          "the client made no request in any scenario: did it read RETRYLAB_URL, or "
          "have {url} in its arguments?");
    }
    for (const auto& [scenario, count] : remarks_.left_behind) {
      notes.push_back(fmt::format("{}: the client left {} behind, which had to be ended", scenario,
                                  count == 1 ? "1 process" : fmt::format("{} processes", count)));
    }
    if (remarks_.output_bytes > kMuchOutput) {
      notes.push_back(fmt::format("the clients wrote {} MB to standard output, unread",
                                  remarks_.output_bytes / 1'000'000));
    }
    return notes;
  }

  ExitCode report(Duration took) const {
    const auto card =
        audit::score(cases_, {.client = shell_line(invocation_.client),
                              .profile = flags_.profile.empty() ? "careful" : flags_.profile,
                              .seed = seed_,
                              .quick = flags_.quick,
                              .took = took,
                              .notes = notes()});
    const std::pair<const std::string&, std::string> files[] = {
        {flags_.json, report::audit_json(card)},
        {flags_.junit, report::audit_junit(card)},
        {flags_.html, report::audit_html(card)},
        {flags_.markdown, report::audit_markdown(card)},
        {flags_.card, audit::policy_card(card.findings)}};
    for (const auto& [target, content] : files) {
      if (target.empty()) continue;
      if (auto written = write_to(target, content); !written) return give_up(written.error());
    }
    std::FILE* text = flags_.takes_stdout() ? stderr : stdout;
    write_text(text, report::audit_text(card, text_options(text, flags_.verbose),
                                        whole_again(flags_, invocation_, seed_)));
    std::fflush(text);
    return exit_code(card.status, Inconclusive::report);
  }

  const AuditFlags& flags_;
  const Invocation& invocation_;
  std::uint64_t seed_;
  Nowhere nowhere_;
  std::vector<audit::Case> cases_;
  std::vector<AuditTask> tasks_;
  AuditRemarks remarks_;
};

}  // namespace

ExitCode run_audit_session(const AuditFlags& flags, const Invocation& invocation) {
  return Audit(flags, invocation).run();
}

}  // namespace retrylab::cli
