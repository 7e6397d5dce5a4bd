// SPDX-License-Identifier: MIT
#include "server/cli/session.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "server/cli/invocation.h"
#include "server/cli/seeds.h"
#include "server/control/live_runs.h"
#include "server/journal/ndjson.h"
#include "server/report/report.h"
#include "server/runs/loop_pool.h"
#include "server/scenario/asked.h"

namespace retrylab::cli {
namespace {

class Session {
 public:
  Session(const LoadedScenario& scenario, const SessionOptions& options,
          runner::Supervisor& supervisor, JournalFile* journal)
      : order_{.scenario = std::make_shared<const scenario::Scenario>(scenario.scenario),
               .text = scenario.text,
               .catalogue = scenario.catalogue},
        options_(options),
        supervisor_(supervisor),
        journal_(journal),
        asked_(scenario::asked_request(scenario.scenario)),
        runs_(loops_, runs_options(options)) {}

  Result<void> start() {
    auto admin = start_admin(options_.admin, runs_);
    if (!admin) return tl::unexpected(admin.error());
    admin_ = std::move(*admin);
    return {};
  }

  Result<std::vector<journal::Run>> repeat() {
    std::vector<journal::Run> finished;
    std::uint32_t started = 0;
    const auto more = [&] { return started < options_.repeat && !supervisor_.signal(); };
    while (more() || supervisor_.running() > 0) {
      while (more() && supervisor_.running() < options_.jobs) {
        const std::uint32_t number = ++started;
        if (auto opened = open(number, 1); !opened) return tl::unexpected(opened.error());
        const auto client = start_client(number, runs_.urls(number).front(), number);
        if (!client) return tl::unexpected(client.error());
      }
      auto ended = supervisor_.next_ended();
      // The client has its run's number.
      const auto number = static_cast<control::RunId>(ended.client);
      runs_.client_ended(number, std::move(ended.end));
      auto run = stop(number);
      if (!run) return tl::unexpected(run.error());
      finished.push_back(std::move(*run));
    }
    std::ranges::sort(finished, {}, &journal::Run::number);
    return finished;
  }

  Result<std::vector<journal::Run>> herd(std::uint32_t clients) {
    if (auto opened = open(1, clients); !opened) return tl::unexpected(opened.error());
    const auto urls = runs_.urls(1);
    for (std::size_t i = 0; i < clients; ++i) {
      const auto client = start_client(i, urls[i], 1);
      if (!client) return tl::unexpected(client.error());
    }
    while (supervisor_.running() > 0) {
      auto ended = supervisor_.next_ended();
      ended.end.process = static_cast<std::uint32_t>(ended.client);
      runs_.client_ended(1, std::move(ended.end));
    }
    auto run = stop(1);
    if (!run) return tl::unexpected(run.error());
    std::vector<journal::Run> finished;
    finished.push_back(std::move(*run));
    return finished;
  }

 private:
  // Of runs that are started over the API meanwhile.
  static control::LiveRunsOptions runs_options(const SessionOptions& options) {
    return {.listen = options.listen,
            .ids_after = options.repeat,
            .choose_seed = [](auto seed) { return choose_seed(std::nullopt, seed); },
            .command =
                [program = options.program](const auto& name, auto seed) {
                  return shell_line({program, "serve", name, "--seed", fmt::format("{}", seed)});
                },
            .redaction = make_redaction(options.redacted)};
  }

  Result<journal::Run> stop(control::RunId id) {
    auto run = runs_.stop(id);
    sinks_.erase(id);
    if (run) return std::move(*run);
    return fail(ErrorCode::machine, fmt::format("run {}", id), "was deleted over the admin API");
  }

  Result<void> open(control::RunId number, std::uint32_t clients) {
    auto& sink = sinks_[number];
    std::function<void()> write_out;
    if (journal_ != nullptr) {
      write_out = [file = journal_] { file->write_out(); };
      sink = std::make_unique<journal::NdjsonSink>(
          [file = journal_](std::string_view line) { file->append(line); },
          std::string(report::version()));
    }
    auto run = runs_.adopt({.order = order_,
                            .options = {.seed = run_seed(options_.seed, number),
                                        .command = options_.command,
                                        .listen = options_.listen,
                                        .port = options_.port,
                                        .listeners = clients,
                                        .one_process = !options_.herd,
                                        .processes = clients,
                                        .tls = options_.tls,
                                        .sink = sink.get(),
                                        .write_out = std::move(write_out)},
                            .id = number,
                            .resets = false});
    if (!run) return tl::unexpected(run.error());
    return {};
  }

  Result<void> start_client(std::size_t client, const std::string& url, std::uint32_t run) {
    const runner::Target target{.url = url,
                                .admin_url = admin_ ? admin_->url() : "",
                                .run = fmt::format("{}", run),
                                .outcome_file = supervisor_.outcome_file(client),
                                .authority_file = options_.authority_file,
                                .method = asked_.method,
                                .path = asked_.path,
                                .body = asked_.body,
                                .key = asked_.key ? client_key(options_.seed, client) : ""};
    return supervisor_.start(client,
                             runner::make_command(options_.client, options_.variables, target));
  }

  control::NewRun order_;
  const SessionOptions& options_;
  runner::Supervisor& supervisor_;
  JournalFile* journal_;
  scenario::AskedRequest asked_;
  std::map<control::RunId, std::unique_ptr<journal::NdjsonSink>> sinks_;  // outlive the runs
  runs::LoopPool loops_{1};
  control::LiveRuns runs_;
  std::unique_ptr<control::Admin> admin_;
};

}  // namespace

Result<std::vector<journal::Run>> run_session(const LoadedScenario& scenario,
                                              const SessionOptions& options,
                                              runner::Supervisor& supervisor,
                                              JournalFile* journal) {
  Session session(scenario, options, supervisor, journal);
  if (auto started = session.start(); !started) return tl::unexpected(started.error());
  return options.herd ? session.herd(*options.herd) : session.repeat();
}

}  // namespace retrylab::cli
