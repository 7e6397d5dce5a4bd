// SPDX-License-Identifier: MIT
#include "server/cli/session.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "server/cli/seeds.h"
#include "server/journal/ndjson.h"
#include "server/report/report.h"
#include "server/runs/live_run.h"

namespace retrylab::cli {
namespace {

// A run and where its records go.
struct Slot {
  std::unique_ptr<journal::NdjsonSink> sink;
  std::unique_ptr<runs::LiveRun> run;
};

class Session {
 public:
  Session(const scenario::Scenario& scenario, const SessionOptions& options,
          runner::Supervisor& supervisor, JournalFile* journal)
      : scenario_(scenario), options_(options), supervisor_(supervisor), journal_(journal) {}

  Result<std::vector<journal::Run>> repeat() {
    std::vector<journal::Run> finished;
    std::map<std::size_t, Slot> slots;
    std::uint32_t started = 0;
    const auto more = [&] { return started < options_.repeat && !supervisor_.signal(); };
    while (more() || supervisor_.running() > 0) {
      while (more() && supervisor_.running() < options_.jobs) {
        const std::uint32_t number = ++started;
        auto slot = open(number, 1);
        if (!slot) return tl::unexpected(slot.error());
        const auto client = start_client(number, slot->run->urls().front(), number);
        if (!client) return tl::unexpected(client.error());
        slots[number] = std::move(*slot);
      }
      auto ended = supervisor_.next_ended();
      auto slot = slots.extract(ended.client);
      slot.mapped().run->client_ended(std::move(ended.end));
      finished.push_back(slot.mapped().run->stop());
    }
    std::ranges::sort(finished, {}, &journal::Run::number);
    return finished;
  }

  Result<std::vector<journal::Run>> herd(std::uint32_t clients) {
    auto slot = open(1, clients);
    if (!slot) return tl::unexpected(slot.error());
    const auto& urls = slot->run->urls();
    for (std::size_t i = 0; i < clients; ++i) {
      const auto client = start_client(i, urls[i], 1);
      if (!client) return tl::unexpected(client.error());
    }
    while (supervisor_.running() > 0) {
      auto ended = supervisor_.next_ended();
      ended.end.process = static_cast<std::uint32_t>(ended.client);
      slot->run->client_ended(std::move(ended.end));
    }
    std::vector<journal::Run> finished;
    finished.push_back(slot->run->stop());
    return finished;
  }

 private:
  Result<Slot> open(std::uint32_t number, std::uint32_t clients) {
    Slot slot;
    std::function<void()> write_out;
    if (journal_ != nullptr) {
      write_out = [file = journal_] { file->write_out(); };
      slot.sink = std::make_unique<journal::NdjsonSink>(
          [file = journal_](std::string_view line) { file->append(line); },
          std::string(report::version()));
    }
    auto run = runs::LiveRun::start(scenario_, loop_,
                                    {.number = number,
                                     .seed = run_seed(options_.seed, number),
                                     .command = options_.command,
                                     .listen = options_.listen,
                                     .port = options_.port,
                                     .listeners = clients,
                                     .one_process = !options_.herd,
                                     .processes = clients,
                                     .tls = options_.tls,
                                     .sink = slot.sink.get(),
                                     .write_out = std::move(write_out)});
    if (!run) return tl::unexpected(run.error());
    slot.run = std::move(*run);
    return slot;
  }

  Result<void> start_client(std::size_t client, const std::string& url, std::uint32_t run) {
    const runner::Target target{.url = url,
                                .admin_url = "",
                                .run = fmt::format("{}", run),
                                .outcome_file = supervisor_.outcome_file(client),
                                .authority_file = options_.authority_file};
    return supervisor_.start(client,
                             runner::make_command(options_.client, options_.variables, target));
  }

  const scenario::Scenario& scenario_;
  const SessionOptions& options_;
  runner::Supervisor& supervisor_;
  JournalFile* journal_;
  runs::Loop loop_;
};

}  // namespace

Result<std::vector<journal::Run>> run_session(const scenario::Scenario& scenario,
                                              const SessionOptions& options,
                                              runner::Supervisor& supervisor,
                                              JournalFile* journal) {
  Session session(scenario, options, supervisor, journal);
  return options.herd ? session.herd(*options.herd) : session.repeat();
}

}  // namespace retrylab::cli
