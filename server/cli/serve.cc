// SPDX-License-Identifier: MIT
#include "server/cli/serve.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/cli/flags.h"
#include "server/cli/journal_file.h"
#include "server/cli/lifecycle.h"
#include "server/cli/outputs.h"
#include "server/cli/scenario_source.h"
#include "server/cli/served.h"
#include "server/cli/watched_file.h"
#include "server/runs/live_run.h"

namespace retrylab::cli {
namespace {

struct ServeFlags {
  std::vector<std::string> scenarios;
  std::optional<std::uint64_t> seed;
  std::uint16_t port = 0;
  std::string listen = "127.0.0.1";
  std::string journal;
  bool watch = false;
  bool judge = false;
  bool tls = false;
  Outputs outputs;
  Lifecycle lifecycle;
};

// How often --watch looks at the files.
constexpr timespec kLook{.tv_sec = 0, .tv_nsec = 200'000'000};

// A scenario being served, and the file it came from.
struct Station {
  std::unique_ptr<Served> served;
  std::optional<WatchedFile> file;              // with --watch, unless it is of the catalogue
  std::unique_ptr<scenario::Scenario> pending;  // read from the changed file, not yet in use
};

Result<void> check_flags(const ServeFlags& flags) {
  if (flags.watch && std::ranges::none_of(flags.scenarios, is_file)) {
    return fail(ErrorCode::invalid_argument, "--watch", "no scenario here is a file");
  }
  if (flags.scenarios.size() == 1) return {};
  const auto only_one = [](const char* flag) {
    return fail(ErrorCode::invalid_argument, flag, "goes with one scenario only");
  };
  if (flags.port != 0) return only_one("--port");
  if (!flags.journal.empty()) return only_one("--journal");
  if (flags.outputs.any_file()) return only_one("--json, --junit or --html");
  return {};
}

std::string ready_line(const std::vector<Station>& stations) {
  auto runs = nlohmann::ordered_json::array();
  for (const auto& [served, file, pending] : stations) {
    nlohmann::ordered_json run{{"name", served->scenario().name}, {"url", served->url()}};
    if (!served->authority_file().empty()) run["ca"] = served->authority_file();
    runs.push_back(std::move(run));
  }
  return nlohmann::ordered_json{{"event", "ready"},
                                {"url", stations.front().served->url()},
                                {"runs", std::move(runs)},
                                {"admin_url", nullptr},
                                {"pid", getpid()}}
             .dump() +
         "\n";
}

std::string reloaded_line(const Served& served) {
  return nlohmann::ordered_json{
             {"event", "reloaded"}, {"name", served.scenario().name}, {"url", served.url()}}
             .dump() +
         "\n";
}

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

class Server {
 public:
  Server(const ServeFlags& flags, const Invocation& invocation)
      : flags_(flags), invocation_(invocation) {}

  ExitCode serve() {
    // Before any thread starts, which inherits the mask.
    const auto signals = stop_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    auto leash = Leash::hold(flags_.lifecycle.holders);
    if (!leash) return give_up(leash.error());
    if (const auto code = start(); code != ExitCode::pass) return code;
    const auto ready = say_ready(flags_.lifecycle, ready_line(stations_));
    if (!ready) return give_up(ready.error());
    if (const auto waited = wait(signals); !waited) return give_up(waited.error());
    return stop();
  }

 private:
  ExitCode start() {
    std::vector<std::unique_ptr<scenario::Scenario>> scenarios;
    for (const auto& name : flags_.scenarios) {
      auto loaded = load_scenario(name);
      if (!loaded) return loaded.error();
      scenarios.push_back(std::make_unique<scenario::Scenario>(std::move(*loaded)));
    }
    if (!flags_.journal.empty()) {
      auto file = JournalFile::create(flags_.journal);
      if (!file) return give_up(file.error());
      journal_ = std::move(*file);
    }
    loop_.emplace();
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      if (const auto added = add(flags_.scenarios[i], std::move(scenarios[i])); !added) {
        return give_up(added.error());
      }
    }
    return ExitCode::pass;
  }

  Result<void> add(const std::string& name, std::unique_ptr<scenario::Scenario> scenario) {
    Station station;
    if (flags_.watch && is_file(name)) station.file.emplace(name);
    station.served = std::make_unique<Served>(ServedOptions{.program = invocation_.program,
                                                            .name = name,
                                                            .seed = flags_.seed,
                                                            .listen = flags_.listen,
                                                            .port = flags_.port,
                                                            .tls = flags_.tls},
                                              *loop_, journal_.get());
    if (auto started = station.served->start(std::move(scenario)); !started) return started;
    stations_.push_back(std::move(station));
    return {};
  }

  // Until a signal says to stop. Errors: a port that was lost while its scenario was replaced.
  Result<void> wait(const sigset_t& signals) {
    int signal = 0;
    if (!flags_.watch) sigwait(&signals, &signal);
    while (flags_.watch && sigtimedwait(&signals, nullptr, &kLook) < 0) {
      for (auto& station : stations_) {
        read_again(station);
        if (auto replaced = replace(station); !replaced) return replaced;
      }
    }
    return {};
  }

  // A file that is not right leaves everything as it is.
  static void read_again(Station& station) {
    if (!station.file || !station.file->changed()) return;
    const auto& path = station.file->path();
    auto loaded = load_scenario(path);
    const auto usable =
        loaded ? station.served->accepts(*loaded) : fail(ErrorCode::invalid_scenario, path, "");
    if (loaded && !usable) give_up(usable.error());
    if (!usable) {
      fmt::print(stderr, "retrylab: {}: not used; the scenario stays as it was\n", path);
      return;
    }
    if (loaded->hash == station.served->scenario().hash) return station.pending.reset();
    station.pending = std::make_unique<scenario::Scenario>(std::move(*loaded));
  }

  // Attempts under way are let finish: they were begun by the old scenario.
  Result<void> replace(Station& station) {
    if (!station.pending || !station.served->is_idle()) return {};
    if (auto judged = judge(*station.served); !judged) return tl::unexpected(judged.error());
    if (journal_) journal_->truncate();
    if (auto started = station.served->start(std::move(station.pending)); !started) return started;
    fmt::print("{}", reloaded_line(*station.served));
    std::fflush(stdout);
    return {};
  }

  // Ends the run and writes its reports.
  Result<ExitCode> judge(Served& served) const {
    const std::vector<journal::Run> runs{served.stop()};
    const auto verdict = verify::verify(served.scenario(), runs);
    auto written = write_reports({served.scenario(), runs, verdict}, flags_.outputs, stderr);
    if (!written) return tl::unexpected(written.error());
    return exit_code(verdict.status, Inconclusive::report);
  }

  ExitCode stop() {
    ExitCode worst = ExitCode::pass;
    for (auto& station : stations_) {
      const auto code = judge(*station.served);
      if (!code) return give_up(code.error());
      // A broken rule outweighs spoiled evidence.
      if (worst != ExitCode::failed && *code != ExitCode::pass) worst = *code;
    }
    if (journal_) {
      if (const auto whole = journal_->check(); !whole) return give_up(whole.error());
    }
    return flags_.judge ? worst : ExitCode::pass;
  }

  const ServeFlags& flags_;
  const Invocation& invocation_;
  std::unique_ptr<JournalFile> journal_;
  std::optional<runs::Loop> loop_;
  std::vector<Station> stations_;
};

ExitCode serve(const ServeFlags& flags, const Invocation& invocation) {
  if (const auto checked = check_flags(flags); !checked) return give_up(checked.error());
  return Server(flags, invocation).serve();
}

}  // namespace

void add_serve(CLI::App& app, const Invocation& invocation, ExitCode& code) {
  auto* command = add_subcommand(
      app, "serve",
      "Serve scenarios, each on a port of its own, until stopped by SIGTERM or Ctrl-C.\n"
      "One JSON line on standard output says when and where; the verdict follows at the end.",
      "  retrylab serve two-503-then-success --port 8080\n"
      "  retrylab serve payments.json orders.json --ready-file ready.json --judge\n"
      "  retrylab serve payments.json --port 8080 --watch\n");
  auto flags = std::make_shared<ServeFlags>();
  command->add_option("SCENARIO", flags->scenarios, "Files, or names that `retrylab list` prints")
      ->required()
      ->type_name("");
  command->add_option("--port", flags->port, "Port to listen on (default: any free one)")
      ->option_text("PORT");
  command->add_option("--listen", flags->listen, "Address to listen on (default 127.0.0.1)")
      ->option_text("ADDRESS");
  command->add_flag("--watch", flags->watch,
                    "Read a scenario file again when it was saved, for the next run");
  add_lifecycle(*command, flags->lifecycle);
  command->add_flag("--judge", flags->judge, "Exit with the verdict's code instead of 0");
  add_tls(*command, flags->tls);
  add_seed(*command, flags->seed);
  add_outputs(*command, flags->outputs);
  command->add_option("--journal", flags->journal, "Write every attempt to FILE as NDJSON")
      ->option_text("FILE");
  command->callback([flags, &invocation, &code] { code = serve(*flags, invocation); });
}

}  // namespace retrylab::cli
