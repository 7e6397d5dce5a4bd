// SPDX-License-Identifier: MIT
#include "server/cli/audit.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/audit/audit_set.h"
#include "server/audit/policy_card.h"
#include "server/audit/scorecard.h"
#include "server/cli/audit_runs.h"
#include "server/cli/flags.h"
#include "server/cli/scenario_source.h"
#include "server/cli/seeds.h"
#include "server/cli/terminal.h"
#include "server/cli/write_to.h"
#include "server/report/audit/audit_report.h"
#include "server/report/story.h"
#include "server/verify/profile.h"

namespace retrylab::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Duration kQuickTimeout = std::chrono::seconds(20);
constexpr Duration kFullTimeout = std::chrono::seconds(90);
// No second look at what was inconclusive when the first has taken longer.
constexpr auto kRerunUntil = std::chrono::minutes(3);
constexpr std::uint64_t kMuchOutput = 1'000'000;

struct AuditFlags {
  bool quick = false;
  std::string profile;
  std::uint32_t jobs = 32;
  std::optional<Duration> timeout;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> variables;
  std::vector<std::string> only;
  std::string json;
  std::string junit;
  std::string html;
  std::string markdown;
  std::string card;
  bool verbose = false;

  bool takes_stdout() const {
    return json == "-" || junit == "-" || html == "-" || markdown == "-" || card == "-";
  }
};

Result<void> check_flags(const AuditFlags& flags, const Invocation& invocation) {
  if (invocation.client.empty()) {
    return fail(ErrorCode::invalid_argument, "audit",
                "no client: write it after --, such as: retrylab audit -- curl --retry 3 {url}");
  }
  for (const auto& variable : flags.variables) {
    if (auto checked = runner::check_variable(variable); !checked) return checked;
  }
  if (!flags.profile.empty() && verify::find_profile(flags.profile) == nullptr) {
    return fail(ErrorCode::invalid_argument, "--profile " + flags.profile,
                "no such profile; `retrylab profiles` lists them");
  }
  for (const auto& name : flags.only) {
    if (std::ranges::find(audit::audit_set(), name, &audit::SetEntry::scenario) ==
        audit::audit_set().end()) {
      return fail(ErrorCode::invalid_argument, "--only " + name,
                  "no scenario of the audit has this name");
    }
  }
  return {};
}

// The line that runs one scenario of the audit again.
std::string again(const AuditFlags& flags, const Invocation& invocation,
                  const audit::SetEntry& entry, std::uint32_t repeat, std::uint64_t seed) {
  std::vector<std::string> words{invocation.program, "run", std::string(entry.scenario)};
  const auto add = [&](const std::string& flag, const std::string& value) {
    words.push_back(flag);
    words.push_back(value);
  };
  if (repeat > 1) add("--repeat", fmt::format("{}", repeat));
  if (!flags.profile.empty()) add("--profile", flags.profile);
  for (const auto& variable : flags.variables) add("--env", variable);
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

// It would have to be stopped again.
bool was_stopped(const audit::Case& one) {
  return std::ranges::any_of(one.runs, [](const journal::Run& run) {
    return std::ranges::any_of(run.clients, [](const journal::ClientEnd& client) {
      return client.outcome == journal::ClientEnd::Outcome::hung;
    });
  });
}

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
    if (Clock::now() - started < kRerunUntil) {
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
      if (!flags_.profile.empty()) scenario->expect.profile = flags_.profile;
      const std::uint32_t repeat = std::max(flags_.quick ? entry.quick : entry.full, 1U);
      cases_.push_back({.scenario = std::move(*scenario),
                        .command = again(flags_, invocation_, entry, repeat, seed_)});
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

  // What was inconclusive, once more and with fewer at a time.
  Result<void> run_again(runner::Supervisor& supervisor) {
    std::vector<AuditTask> spoiled;
    std::size_t clients = 0;
    for (const AuditTask& task : tasks_) {
      const auto& verdict = task.one->verdict;
      if (verdict.status != verify::Status::inconclusive || !verify::may_end_otherwise(verdict) ||
          was_stopped(*task.one)) {
        continue;
      }
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

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    const bool silent = std::ranges::all_of(cases_, [](const audit::Case& one) {
      return std::ranges::all_of(
          one.runs, [](const journal::Run& run) { return run.connections_opened == 0; });
    });
    if (silent) {
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
    fmt::print(text, "{}", report::audit_text(card, text_options(text, flags_.verbose)));
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

ExitCode audit(const AuditFlags& flags, const Invocation& invocation) {
  if (const auto checked = check_flags(flags, invocation); !checked) {
    return give_up(checked.error());
  }
  return Audit(flags, invocation).run();
}

}  // namespace

void add_audit(CLI::App& app, const Invocation& invocation, ExitCode& code) {
  auto* command = add_subcommand(
      app, "audit",
      "Run a client through the scenarios of the audit and print its scorecard.\n"
      "One process is one operation. The client learns the address from RETRYLAB_URL, or from\n"
      "{url} in its arguments, and what to send from RETRYLAB_METHOD, RETRYLAB_PATH and\n"
      "RETRYLAB_BODY, or {method}, {path} and {body}.",
      "  retrylab audit --quick -- curl --retry 3 {url}/items\n"
      "  retrylab audit -- curl --retry 3 -X {method} -d {body} {url}{path}\n");
  auto flags = std::make_shared<AuditFlags>();
  command->add_flag("--quick", flags->quick, "Fewer scenarios and repeats: half a minute");
  command->add_option("--profile", flags->profile, "Judge by this profile (default careful)")
      ->option_text("NAME");
  command->add_option("--jobs", flags->jobs, "At most J clients at a time (default 32)")
      ->option_text("J")
      ->check(CLI::Range(1U, 1'000U));
  command
      ->add_option_function<std::string>(
          "--timeout",
          [flags](const std::string& text) {
            const auto time = parse_duration(text);
            if (!time) throw CLI::ValidationError("--timeout", time.error().message);
            flags->timeout = *time;
          },
          "Stop a client after this (default 90s, with --quick 20s)")
      ->option_text("TIME");
  command->add_option("--env", flags->variables, "Set a variable for the client; repeatable")
      ->option_text("NAME={url}")
      ->allow_extra_args(false);
  command->add_option("--only", flags->only, "Only this scenario of the audit; repeatable")
      ->option_text("SCENARIO")
      ->allow_extra_args(false);
  add_seed(*command, flags->seed);
  command->add_option("--json", flags->json, "Write the scorecard as JSON to FILE, or - for stdout")
      ->option_text("FILE|-");
  command->add_option("--junit", flags->junit, "The same as JUnit XML")->option_text("FILE|-");
  command->add_option("--html", flags->html, "The same as one HTML file")->option_text("FILE|-");
  command->add_option("--markdown", flags->markdown, "The same as Markdown")->option_text("FILE|-");
  command
      ->add_option("--card", flags->card,
                   "Write the policy card, for `retrylab simulate --policy`, or - for stdout")
      ->option_text("FILE|-");
  command->add_flag("--verbose", flags->verbose, "Show every scenario");
  command->callback([flags, &invocation, &code] { code = audit(*flags, invocation); });
}

}  // namespace retrylab::cli
