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

#include "server/cli/admin.h"
#include "server/cli/doubts.h"
#include "server/cli/flags.h"
#include "server/cli/journal_file.h"
#include "server/cli/lifecycle.h"
#include "server/cli/outputs.h"
#include "server/cli/print.h"
#include "server/cli/scenario_source.h"
#include "server/cli/seeds.h"
#include "server/cli/served.h"
#include "server/cli/watched_file.h"
#include "server/control/live_runs.h"
#include "server/runs/loop_pool.h"

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
  TlsFlags tls;
  AdminFlags admin;
  std::vector<std::string> redacted;
  Outputs outputs;
  Lifecycle lifecycle;
};

// How often --watch looks at the files.
constexpr timespec kLook{.tv_sec = 0, .tv_nsec = 200'000'000};

// A scenario being served, and the file it came from.
struct Station {
  std::unique_ptr<Served> served;
  std::optional<WatchedFile> file;        // with --watch, unless it is of the catalogue
  std::optional<LoadedScenario> pending;  // read from the changed file, not yet in use
};

Result<void> check_flags(const ServeFlags& flags) {
  if (flags.watch && std::ranges::none_of(flags.scenarios, is_file)) {
    return fail(ErrorCode::invalid_argument, "--watch", "no scenario here is a file");
  }
  for (const std::string& name : flags.scenarios) {
    if (!flags.watch || !is_file(name) || WatchedFile::can_be(name)) continue;
    return fail(ErrorCode::invalid_argument, "--watch",
                fmt::format("{} is no regular file; a pipe can be read only once", name));
  }
  if (flags.scenarios.empty() && flags.admin.off) {
    return fail(ErrorCode::invalid_argument, "serve",
                "no scenario: name one, or leave out --no-admin and start runs over the API");
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

using Json = nlohmann::ordered_json;

Json run_json(const Served& served) {
  Json run{{"id", fmt::format("{}", served.run().id)},
           {"name", served.scenario().name},
           {"url", served.run().url}};
  if (!served.authority_file().empty()) run["ca"] = served.authority_file();
  return run;
}

std::string ready_line(const std::vector<Station>& stations, const control::Admin* admin) {
  auto runs = Json::array();
  for (const auto& station : stations) runs.push_back(run_json(*station.served));
  const Json url = runs.empty() ? Json(nullptr) : runs.front().at("url");
  return Json{{"event", "ready"},
              {"url", url},
              {"runs", std::move(runs)},
              {"admin_url", admin == nullptr ? Json(nullptr) : Json(admin->url())},
              {"pid", getpid()}}
             .dump() +
         "\n";
}

std::string reloaded_line(const Served& served) {
  Json line{{"event", "reloaded"}};
  line.update(run_json(served));
  return line.dump() + "\n";
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
    const auto ready = say_ready(flags_.lifecycle, ready_line(stations_, admin_.get()));
    if (!ready) return give_up(ready.error());
    if (const auto waited = wait(signals); !waited) return give_up(waited.error());
    return stop();
  }

 private:
  ExitCode start() {
    std::vector<LoadedScenario> scenarios;
    for (const auto& name : flags_.scenarios) {
      auto loaded = load_scenario_and_text(name);
      if (!loaded) return loaded.error();
      warn_of_doubt(name, loaded->scenario);
      scenarios.push_back(std::move(*loaded));
    }
    if (!flags_.journal.empty()) {
      auto file = JournalFile::create(flags_.journal);
      if (!file) return give_up(file.error());
      journal_ = std::move(*file);
    }
    runs_.emplace(loops_, runs_options());
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      if (const auto added = add(flags_.scenarios[i], std::move(scenarios[i])); !added) {
        return give_up(added.error());
      }
    }
    auto admin = start_admin(flags_.admin, *runs_);
    if (!admin) return give_up(admin.error());
    admin_ = std::move(*admin);
    return ExitCode::pass;
  }

  // Of the runs that come over the API.
  control::LiveRunsOptions runs_options() const {
    return {.listen = flags_.listen,
            .choose_seed = [flag = flags_.seed](auto seed) { return choose_seed(flag, seed); },
            .command =
                [program = invocation_.program](const auto& name, auto seed) {
                  return shell_line({program, "serve", name, "--seed", fmt::format("{}", seed)});
                },
            .redaction = make_redaction(flags_.redacted)};
  }

  Result<void> add(const std::string& name, LoadedScenario scenario) {
    Station station;
    if (flags_.watch && is_file(name)) station.file.emplace(name);
    station.served = std::make_unique<Served>(ServedOptions{.program = invocation_.program,
                                                            .name = name,
                                                            .seed = flags_.seed,
                                                            .listen = flags_.listen,
                                                            .port = flags_.port,
                                                            .tls = flags_.tls,
                                                            .main = stations_.empty()},
                                              *runs_, journal_.get());
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
    auto loaded = load_scenario_and_text(path);
    const auto usable = loaded ? station.served->accepts(loaded->scenario)
                               : fail(ErrorCode::invalid_scenario, path, "");
    if (loaded && !usable) give_up(usable.error());
    if (!usable) {
      print(stderr, "retrylab: {}: not used; the scenario stays as it was\n", path);
      return;
    }
    station.pending.reset();
    if (loaded->scenario.hash != station.served->scenario().hash) {
      station.pending.emplace(std::move(*loaded));
    }
  }

  // Attempts under way are let finish: they were begun by the old scenario.
  Result<void> replace(Station& station) {
    if (!station.pending || !station.served->is_idle()) return {};
    if (auto judged = judge(*station.served); !judged) return tl::unexpected(judged.error());
    if (journal_) journal_->truncate();
    auto started = station.served->start(std::move(*station.pending));
    station.pending.reset();
    if (!started) return started;
    print("{}", reloaded_line(*station.served));
    std::fflush(stdout);
    return {};
  }

  // Ends the run and writes its reports.
  Result<ExitCode> judge(Served& served) const {
    auto run = served.stop();
    if (!run) return ExitCode::pass;
    const std::vector<journal::Run> runs{std::move(*run)};
    const auto verdict = verify::verify(served.scenario(), runs);
    auto written = write_reports({served.scenario(), runs, verdict}, flags_.outputs, stderr);
    if (!written) return tl::unexpected(written.error());
    return exit_code(verdict.status, Inconclusive::report);
  }

  ExitCode stop() {
    if (admin_) admin_->stop();
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
  std::vector<Station> stations_;  // whose sinks outlive the runs
  runs::LoopPool loops_{2};
  std::optional<control::LiveRuns> runs_;
  std::unique_ptr<control::Admin> admin_;
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
      "  retrylab serve payments.json --port 8080 --watch\n"
      "  retrylab serve --admin-port 7070\n");
  auto flags = std::make_shared<ServeFlags>();
  command->add_option("SCENARIO", flags->scenarios, "Files, or names that `retrylab list` prints")
      ->type_name("");
  command->add_option("--port", flags->port, "Port to listen on (default: any free one)")
      ->option_text("PORT")
      ->check(port_number());
  command->add_option("--listen", flags->listen, "Address to listen on (default 127.0.0.1)")
      ->option_text("ADDRESS");
  command->add_flag("--watch", flags->watch,
                    "Read a scenario file again when it was saved, for the next run");
  add_lifecycle(*command, flags->lifecycle);
  command->add_flag("--judge", flags->judge, "Exit with the verdict's code instead of 0");
  add_admin(*command, flags->admin);
  add_tls(*command, flags->tls);
  add_seed(*command, flags->seed);
  add_outputs(*command, flags->outputs);
  add_redaction(*command, flags->redacted);
  command->add_option("--journal", flags->journal, "Write every attempt to FILE as NDJSON")
      ->option_text("FILE");
  command->callback([flags, &invocation, &code] { code = serve(*flags, invocation); });
}

}  // namespace retrylab::cli
