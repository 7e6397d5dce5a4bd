// SPDX-License-Identifier: MIT
#include "server/cli/run.h"

#include <unistd.h>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/cli/doubts.h"
#include "server/cli/flags.h"
#include "server/cli/lifecycle.h"
#include "server/cli/outputs.h"
#include "server/cli/print.h"
#include "server/cli/profile_argument.h"
#include "server/cli/scenario_source.h"
#include "server/cli/seeds.h"
#include "server/cli/session.h"
#include "server/cli/tls.h"
#include "server/report/story.h"
#include "server/runs/in_parallel.h"

namespace retrylab::cli {
namespace {

constexpr std::uint32_t kMostClients = 10'000;
constexpr Duration kDefaultTimeout = std::chrono::minutes(2);

struct RunFlags {
  std::string scenario;
  std::string profile;
  std::uint32_t repeat = 1;
  std::optional<std::uint32_t> herd;
  std::uint32_t jobs = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> variables;
  Duration timeout = kDefaultTimeout;
  std::optional<std::uint64_t> seed;
  OnInconclusive on_inconclusive;
  verify::Statistics statistics = verify::Statistics::where_possible;
  std::string journal;
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;
  TlsFlags tls;
  AdminFlags admin;
  std::vector<std::string> redacted;
  Outputs outputs;
  Leash::Holders holders;
};

// The line that does the same again, with the flags that matter for it.
std::string replay_line(const RunFlags& flags, const Invocation& invocation, std::uint64_t seed) {
  std::vector<std::string> words{invocation.program, "run", flags.scenario};
  const auto add = [&](const std::string& flag, const std::string& value) {
    words.push_back(flag);
    words.push_back(value);
  };
  if (flags.repeat > 1) add("--repeat", fmt::format("{}", flags.repeat));
  if (!flags.profile.empty()) add("--profile", flags.profile);
  if (flags.tls.tls) words.emplace_back("--tls");
  if (!flags.tls.authority.empty()) add("--tls-authority", flags.tls.authority);
  if (flags.herd) add("--herd", fmt::format("{}", *flags.herd));
  for (const auto& variable : flags.variables) add("--env", variable);
  if (flags.timeout != kDefaultTimeout) add("--timeout", format_duration(flags.timeout));
  if (flags.statistics == verify::Statistics::required) words.emplace_back("--require-statistics");
  add("--seed", fmt::format("{}", seed));
  words.emplace_back("--");
  words.insert(words.end(), invocation.client.begin(), invocation.client.end());
  return shell_line(words);
}

Result<void> check_flags(const RunFlags& flags, const Invocation& invocation) {
  if (invocation.client.empty()) {
    return fail(ErrorCode::invalid_argument, "run",
                "no client: write it after --, such as: retrylab run two-503-then-success -- "
                "curl --retry 3 {url}/items");
  }
  for (const auto& variable : flags.variables) {
    if (auto checked = runner::check_variable(variable); !checked) return checked;
  }
  if (auto profile = profile_argument(flags.profile); !profile) {
    return tl::unexpected(profile.error());
  }
  const std::uint32_t clients = flags.herd ? *flags.herd : std::min(flags.repeat, flags.jobs);
  if (flags.port != 0 && clients > 1) {
    return fail(ErrorCode::invalid_argument, "--port",
                "one port serves one client at a time: leave it out, or use --jobs 1");
  }
  return {};
}

// Sessions until one is conclusive or no rerun is left; the last one counts.
class Judgement {
 public:
  Judgement(const LoadedScenario& loaded, const RunFlags& flags, SessionOptions options)
      : loaded_(loaded), scenario_(loaded.scenario), flags_(flags), options_(std::move(options)) {}

  ExitCode run() {
    auto supervisor =
        runner::Supervisor::create({.timeout = flags_.timeout, .output = text_descriptor()});
    if (!supervisor) return give_up_judging(supervisor.error());
    // After the supervisor, which blocks the signal that it sends.
    const auto leash = Leash::hold(flags_.holders);
    if (!leash) return give_up_judging(leash.error());
    if (!flags_.journal.empty()) {
      auto file = JournalFile::create(flags_.journal);
      if (!file) return give_up(file.error());
      journal_ = std::move(*file);
    }
    for (std::uint32_t rerun = 0;; ++rerun) {
      auto runs = run_session(loaded_, options_, **supervisor, journal_.get());
      if (!runs) return give_up_judging(runs.error());
      const auto signal = (*supervisor)->signal();
      if (runs->empty()) return signalled(*signal);
      const auto verdict = verify::verify(scenario_, *runs, flags_.statistics, runs::in_parallel);
      if (verdict.status == verify::Status::inconclusive && verify::may_end_otherwise(verdict) &&
          rerun < flags_.on_inconclusive.reruns && !signal) {
        announce_rerun(verdict, rerun + 1);
        continue;
      }
      const ExitCode code = report(*runs, verdict);
      return signal ? signalled(*signal) : code;
    }
  }

 private:
  std::FILE* text_stream() const { return flags_.outputs.takes_stdout() ? stderr : stdout; }
  int text_descriptor() const {
    return flags_.outputs.takes_stdout() ? STDERR_FILENO : STDOUT_FILENO;
  }

  ExitCode give_up_judging(const Error& error) const {
    write_failure(scenario_.name, error, flags_.outputs);
    return give_up(error);
  }

  void announce_rerun(const verify::Verdict& verdict, std::uint32_t rerun) {
    print(stderr, "retrylab: inconclusive ({}); running again, {} of {}\n",
          report::rule_ids(verdict, verify::Status::inconclusive), rerun,
          flags_.on_inconclusive.reruns);
    if (journal_) journal_->truncate();
  }

  ExitCode report(const std::vector<journal::Run>& runs, const verify::Verdict& verdict) {
    const auto written = write_reports({scenario_, runs, verdict}, flags_.outputs, text_stream());
    if (!written) return give_up(written.error());
    if (journal_) {
      if (const auto whole = journal_->check(); !whole) return give_up(whole.error());
    }
    return exit_code(verdict.status, flags_.on_inconclusive.then);
  }

  const LoadedScenario& loaded_;
  const scenario::Scenario& scenario_;
  const RunFlags& flags_;
  SessionOptions options_;
  std::unique_ptr<JournalFile> journal_;
};

ExitCode run(const RunFlags& flags, const Invocation& invocation) {
  if (const auto checked = check_flags(flags, invocation); !checked) {
    return give_up(checked.error());
  }
  auto loaded = load_scenario_and_text(flags.scenario);
  if (!loaded) return loaded.error();
  if (!flags.profile.empty()) loaded->scenario.expect.profile = *profile_argument(flags.profile);
  warn_of_doubt(flags.scenario, loaded->scenario);
  const auto tls = Tls::make(flags.tls, loaded->scenario);
  if (!tls) return give_up(tls.error());
  const auto seed = choose_seed(flags.seed, loaded->scenario.seed);
  return Judgement(*loaded, flags,
                   {.client = invocation.client,
                    .variables = flags.variables,
                    .repeat = flags.repeat,
                    .herd = flags.herd,
                    .jobs = flags.jobs,
                    .seed = seed,
                    .listen = flags.listen,
                    .port = flags.port,
                    .command = replay_line(flags, invocation, seed),
                    .tls = tls->identities(),
                    .authority_file = tls->authority_file(),
                    .program = invocation.program,
                    .admin = flags.admin,
                    .redacted = flags.redacted})
      .run();
}

}  // namespace

void add_run(CLI::App& app, const Invocation& invocation, ExitCode& code) {
  auto* command = add_subcommand(
      app, "run",
      "Run a client against a scenario and print the verdict.\n"
      "The client learns the address from RETRYLAB_URL, or from {url} in its arguments.",
      "  retrylab run two-503-then-success -- curl --retry 3 {url}/items\n"
      "  retrylab run payments.json --repeat 20 --env PAYMENTS_URL={url} -- ./my-client\n");
  auto flags = std::make_shared<RunFlags>();
  command->add_option("SCENARIO", flags->scenario, "A file, or a name that `retrylab list` prints")
      ->required()
      ->type_name("");
  command->add_option("--profile", flags->profile, "Judge by this profile, not the scenario's own")
      ->option_text("NAME");
  auto* repeat = command
                     ->add_option("--repeat", flags->repeat,
                                  "Run N clients, each against a fresh run; one verdict")
                     ->option_text("N")
                     ->check(whole_number(1U, kMostClients));
  command->add_option("--herd", flags->herd, "Run N clients at once against one run")
      ->option_text("N")
      ->check(whole_number(1U, kMostClients))
      ->excludes(repeat);
  command->add_option("--jobs", flags->jobs, "Of --repeat, J at a time (default: as many as cores)")
      ->option_text("J")
      ->check(whole_number(1U, kMostClients));
  command->add_option("--env", flags->variables, "Set a variable for the client; repeatable")
      ->option_text("NAME={url}")
      ->allow_extra_args(false);
  add_duration(*command, "--timeout", flags->timeout, "Stop a client after this (default 2m)");
  add_seed(*command, flags->seed);
  add_inconclusive(*command, flags->on_inconclusive);
  add_statistics(*command, flags->statistics);
  add_outputs(*command, flags->outputs);
  command->add_option("--journal", flags->journal, "Write every attempt to FILE as NDJSON")
      ->option_text("FILE");
  command->add_option("--listen", flags->listen, "Address to listen on (default 127.0.0.1)")
      ->option_text("ADDRESS");
  command->add_option("--port", flags->port, "Port to listen on (default: any free one)")
      ->option_text("PORT")
      ->check(port_number());
  add_admin(*command, flags->admin);
  add_redaction(*command, flags->redacted);
  add_tls(*command, flags->tls);
  add_exit_with_parent(*command, flags->holders);
  command->callback([flags, &invocation, &code] { code = run(*flags, invocation); });
}

}  // namespace retrylab::cli
