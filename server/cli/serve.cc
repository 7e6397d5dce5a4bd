// SPDX-License-Identifier: MIT
#include "server/cli/serve.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/cli/flags.h"
#include "server/cli/journal_file.h"
#include "server/cli/outputs.h"
#include "server/cli/scenario_source.h"
#include "server/cli/seeds.h"
#include "server/cli/tls.h"
#include "server/journal/ndjson.h"
#include "server/runs/live_run.h"

namespace retrylab::cli {
namespace {

struct ServeFlags {
  std::vector<std::string> scenarios;
  std::optional<std::uint64_t> seed;
  std::uint16_t port = 0;
  std::string listen = "127.0.0.1";
  std::string ready_file;
  std::string journal;
  bool judge = false;
  bool tls = false;
  Outputs outputs;
};

// A scenario being served.
struct Served {
  std::unique_ptr<scenario::Scenario> scenario;
  std::optional<Tls> tls;
  std::unique_ptr<journal::NdjsonSink> sink;
  std::unique_ptr<runs::LiveRun> run;
};

Result<void> check_flags(const ServeFlags& flags) {
  if (flags.scenarios.size() == 1) return {};
  const auto only_one = [](const char* flag) {
    return fail(ErrorCode::invalid_argument, flag, "goes with one scenario only");
  };
  if (flags.port != 0) return only_one("--port");
  if (!flags.journal.empty()) return only_one("--journal");
  if (flags.outputs.any_file()) return only_one("--json, --junit or --html");
  return {};
}

std::string ready_line(const std::vector<Served>& served) {
  auto runs = nlohmann::ordered_json::array();
  for (const auto& one : served) {
    nlohmann::ordered_json run{{"name", one.scenario->name}, {"url", one.run->urls().front()}};
    if (!one.tls->authority_file().empty()) run["ca"] = one.tls->authority_file();
    runs.push_back(std::move(run));
  }
  return nlohmann::ordered_json{{"event", "ready"},
                                {"url", served.front().run->urls().front()},
                                {"runs", std::move(runs)},
                                {"admin_url", nullptr},
                                {"pid", getpid()}}
             .dump() +
         "\n";
}

// Whole or not at all: who waits for the file must not read half of it.
Result<void> write_ready_file(const std::string& path, std::string_view line) {
  const std::string partial = path + ".part";
  std::ofstream file(partial, std::ios::binary);
  file << line;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(partial, path, error);
  if (file && !error) return {};
  return fail(ErrorCode::machine, path, "cannot write the ready file");
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
    // Before the loop's thread starts, which inherits the mask.
    const auto signals = stop_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    if (const auto code = start(); code != ExitCode::pass) return code;
    if (const auto ready = announce(); !ready) return give_up(ready.error());
    int signal = 0;
    sigwait(&signals, &signal);
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
      auto served = open(std::move(scenarios[i]), flags_.scenarios[i]);
      if (!served) return give_up(served.error());
      served_.push_back(std::move(*served));
    }
    return ExitCode::pass;
  }

  Result<Served> open(std::unique_ptr<scenario::Scenario> scenario, const std::string& name) {
    auto tls = Tls::make(flags_.tls, *scenario);
    if (!tls) return tl::unexpected(tls.error());
    Served served{
        .scenario = std::move(scenario), .tls = std::move(*tls), .sink = nullptr, .run = nullptr};
    std::function<void()> write_out;
    if (journal_) {
      write_out = [file = journal_.get()] { file->write_out(); };
      served.sink = std::make_unique<journal::NdjsonSink>(
          [file = journal_.get()](std::string_view line) { file->append(line); },
          std::string(report::version()));
    }
    const auto seed = choose_seed(flags_.seed, served.scenario->seed);
    auto run = runs::LiveRun::start(*served.scenario, *loop_,
                                    {.seed = seed,
                                     .command = shell_line({invocation_.program, "serve", name,
                                                            "--seed", fmt::format("{}", seed)}),
                                     .listen = flags_.listen,
                                     .port = flags_.port,
                                     .one_process = false,
                                     .tls = served.tls->identities(),
                                     .sink = served.sink.get(),
                                     .write_out = std::move(write_out)});
    if (!run) return tl::unexpected(run.error());
    served.run = std::move(*run);
    return served;
  }

  Result<void> announce() {
    const auto line = ready_line(served_);
    fmt::print("{}", line);
    std::fflush(stdout);
    if (flags_.ready_file.empty()) return {};
    return write_ready_file(flags_.ready_file, line);
  }

  ExitCode stop() {
    ExitCode worst = ExitCode::pass;
    for (auto& served : served_) {
      const std::vector<journal::Run> runs{served.run->stop()};
      const auto verdict = verify::verify(*served.scenario, runs);
      const auto written = write_reports({*served.scenario, runs, verdict}, flags_.outputs, stderr);
      if (!written) return give_up(written.error());
      const auto code = exit_code(verdict.status, Inconclusive::report);
      // A broken rule outweighs spoiled evidence.
      if (worst != ExitCode::failed && code != ExitCode::pass) worst = code;
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
  std::vector<Served> served_;
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
      "  retrylab serve payments.json orders.json --ready-file ready.json --judge\n");
  auto flags = std::make_shared<ServeFlags>();
  command->add_option("SCENARIO", flags->scenarios, "Files, or names that `retrylab list` prints")
      ->required()
      ->type_name("");
  command->add_option("--port", flags->port, "Port to listen on (default: any free one)")
      ->option_text("PORT");
  command->add_option("--listen", flags->listen, "Address to listen on (default 127.0.0.1)")
      ->option_text("ADDRESS");
  command->add_option("--ready-file", flags->ready_file, "Write the ready line to FILE too")
      ->option_text("FILE");
  command->add_flag("--judge", flags->judge, "Exit with the verdict's code instead of 0");
  add_tls(*command, flags->tls);
  add_seed(*command, flags->seed);
  add_outputs(*command, flags->outputs);
  command->add_option("--journal", flags->journal, "Write every attempt to FILE as NDJSON")
      ->option_text("FILE");
  command->callback([flags, &invocation, &code] { code = serve(*flags, invocation); });
}

}  // namespace retrylab::cli
