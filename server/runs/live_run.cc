// SPDX-License-Identifier: MIT
#include "server/runs/live_run.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "client_lib/base/check.h"
#include "server/engine/engine.h"
#include "server/net/clock.h"
#include "server/net/server.h"
#include "server/runs/engine_handler.h"
#include "server/runs/loop.h"

namespace retrylab::runs {
namespace {

journal::Run blank_run(const scenario::Scenario& scenario, const RunOptions& options,
                       WallTime wall_origin) {
  journal::Run run;
  run.number = options.number;
  run.seed = options.seed;
  run.command = options.command;
  run.scenario_name = scenario.name;
  run.profile = scenario.expect.profile;
  run.scenario_hash = scenario.hash;
  run.wall_origin = wall_origin;
  run.one_process = options.one_process;
  run.processes = options.processes;
  return run;
}

bool refuses_sometimes(const scenario::Scenario& scenario) {
  const bool by_clock = std::ranges::any_of(scenario.outages, [](const scenario::Outage& outage) {
    return outage.what == scenario::Outage::Do::refuse;
  });
  return by_clock ||
         std::ranges::any_of(scenario.connections, [](const scenario::ConnectionStep& step) {
           return step.refuse.has_value();
         });
}

// Something may happen to a connection before its first request is there.
bool minds_connections(const scenario::Scenario& scenario) {
  return !scenario.connections.empty() || !scenario.outages.empty() || scenario.keep_alive.idle;
}

net::ServerOptions server_options(const scenario::Scenario& scenario, const RunOptions& options) {
  return {.address = options.listen,
          .port = options.port,
          .listeners = options.listeners,
          .connections_max = scenario.limits.connections,
          .keeps_port = refuses_sometimes(scenario),
          .parser = {.head_bytes = scenario.limits.header_bytes,
                     .body_bytes = scenario.limits.body_bytes},
          .tls = options.tls,
          .before_answers = options.write_out,
          .say =
              [](std::string_view text) {
                std::fputs(fmt::format("retrylab: {}\n", text).c_str(), stderr);
              },
          .door = minds_connections(scenario) || options.tls ? nullptr : options.door};
}

// A run from its start, or its last restart, on.
struct Life {
  Life(const scenario::Scenario& scenario, const RunOptions& options)
      : recorder(
            blank_run(scenario, options, clock.wall_origin()),
            {.entries = scenario.limits.journal_entries, .bytes = scenario.limits.journal_bytes},
            options.sink, options.redaction) {}

  net::Handler& begin(const scenario::Scenario& scenario, const RunOptions& options,
                      const std::string& url) {
    engine.emplace(
        scenario,
        engine::Options{.seed = options.seed, .wall_origin = clock.wall_origin(), .run_url = url},
        recorder);
    return handler.emplace(*engine, options.number);
  }

  net::Clock clock;
  journal::Recorder recorder;
  std::optional<engine::Engine> engine;
  std::optional<EngineHandler> handler;
};

}  // namespace

// Belongs to the loop's thread, urls() and now() aside.
class LiveRun::Impl final : public LagProbe::Listener {
 public:
  Impl(const scenario::Scenario& scenario, Loop::Impl& loop, RunOptions options)
      : scenario_(scenario), loop_(loop), options_(std::move(options)) {
    life_.emplace(scenario_, options_);
  }

  Result<void> start() {
    auto listening =
        net::Server::listen(loop_.events(), life_->clock, server_options(scenario_, options_));
    if (!listening) return tl::unexpected(listening.error());
    server_ = std::move(*listening);
    server_->serve(life_->begin(scenario_, options_, urls().front()));
    loop_.lag_probe().add(*this);
    write_out();
    return {};
  }

  journal::Run stop() {
    loop_.lag_probe().remove(*this);
    server_->stop();
    return finish();
  }

  // After what stop() has posted.
  void let_go() { server_.reset(); }

  void restart(std::uint64_t seed) {
    server_->cut_connections();
    finish();
    options_.seed = seed;
    life_.emplace(scenario_, options_);
    server_->restart(life_->begin(scenario_, options_, urls().front()), life_->clock);
    write_out();
  }

  void adopt(net::Socket socket, std::string client) {
    server_->adopt(std::move(socket), std::move(client));
  }

  void client_ended(journal::ClientEnd end) {
    recorder().add(std::move(end));
    write_out();
  }

  void late(Duration by) override {
    life_->recorder.add(journal::Lag{.at = now(), .late = by});
    write_out();
  }

  RunStats stats() {
    server_->catch_up();
    RunStats stats{.counts = life_->recorder.counts(),
                   .open_connections = server_->open_connections(),
                   .steps_unused = life_->engine->steps_unused()};
    const auto& counts = stats.counts;
    if (counts.attempts_begun == counts.attempts_over && counts.last_change) {
      stats.quiet = now() - *counts.last_change;
    }
    return stats;
  }

  Loop::Impl& loop() { return loop_; }
  Instant now() const { return life_->clock.now(); }
  const std::vector<std::string>& urls() const { return server_->urls(); }
  // With all that is over by now.
  journal::Recorder& recorder() {
    if (server_) server_->catch_up();
    return life_->recorder;
  }
  std::size_t timers() const { return server_->timers(); }

 private:
  journal::Run finish() {
    journal::Run run = recorder().finish(now(), life_->engine->steps_unused());
    write_out();
    return run;
  }

  void write_out() {
    if (options_.write_out) options_.write_out();
  }

  const scenario::Scenario& scenario_;
  Loop::Impl& loop_;
  RunOptions options_;
  std::optional<Life> life_;
  std::shared_ptr<net::Server> server_;
};

LiveRun::LiveRun(std::unique_ptr<Impl> impl) : impl_(std::move(impl)), urls_(impl_->urls()) {}

Result<std::unique_ptr<LiveRun>> LiveRun::start(const scenario::Scenario& scenario, Loop& loop,
                                                RunOptions options) {
  auto impl = std::make_unique<Impl>(scenario, loop.impl(), std::move(options));
  const Result<void> started = loop.impl().call([&] { return impl->start(); });
  if (!started) return tl::unexpected(started.error());
  return std::unique_ptr<LiveRun>(new LiveRun(std::move(impl)));
}

LiveRun::~LiveRun() {
  if (!stopped_) stop();
}

const std::vector<std::string>& LiveRun::urls() const {
  return urls_;
}

void LiveRun::client_ended(journal::ClientEnd end) {
  end.ended = impl_->now();
  impl_->loop().call([&] { impl_->client_ended(std::move(end)); });
}

std::size_t LiveRun::attempts_under_way() const {
  return impl_->loop().call([&] { return impl_->recorder().attempts_under_way(); });
}

journal::Run LiveRun::snapshot() const {
  return impl_->loop().call([&] { return impl_->recorder().copy(); }).unpack();
}

std::optional<journal::Run> LiveRun::snapshot(Duration limit) const {
  auto copy =
      impl_->loop().call_within(limit, [impl = impl_.get()] { return impl->recorder().copy(); });
  if (!copy) return std::nullopt;
  return std::move(*copy).unpack();
}

std::optional<RunStats> LiveRun::stats(Duration limit) const {
  return impl_->loop().call_within(limit, [impl = impl_.get()] { return impl->stats(); });
}

void LiveRun::adopt(int descriptor, std::string client) {
  // An event that is never handled closes it too.
  auto socket = std::make_shared<net::Socket>(descriptor);
  impl_->loop().events().post([impl = impl_.get(), socket, client = std::move(client)]() mutable {
    impl->adopt(std::move(*socket), std::move(client));
  });
}

std::optional<std::size_t> LiveRun::timers(Duration limit) const {
  return impl_->loop().call_within(limit, [impl = impl_.get()] { return impl->timers(); });
}

void LiveRun::restart(std::uint64_t seed) {
  impl_->loop().call([&] { impl_->restart(seed); });
}

void LiveRun::with_journal(const std::function<void(const journal::Recorder&)>& work) const {
  impl_->loop().call([&] { work(impl_->recorder()); });
}

journal::Run LiveRun::stop() {
  CHECK(!stopped_);
  stopped_ = true;
  journal::Run run = impl_->loop().call([&] { return impl_->stop(); });
  impl_->loop().call([&] { impl_->let_go(); });
  return run;
}

}  // namespace retrylab::runs
