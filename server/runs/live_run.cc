// SPDX-License-Identifier: MIT
#include "server/runs/live_run.h"

#include <algorithm>
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
          .say = [](std::string_view text) { fmt::print(stderr, "retrylab: {}\n", text); }};
}

}  // namespace

// Belongs to the loop's thread, urls() and now() aside.
class LiveRun::Impl final : public LagProbe::Listener {
 public:
  Impl(const scenario::Scenario& scenario, Loop::Impl& loop, RunOptions options)
      : scenario_(scenario),
        loop_(loop),
        options_(std::move(options)),
        recorder_(
            blank_run(scenario, options_, clock_.wall_origin()),
            {.entries = scenario.limits.journal_entries, .bytes = scenario.limits.journal_bytes},
            options_.sink) {}

  Result<void> start() {
    auto listening =
        net::Server::listen(loop_.events(), clock_, server_options(scenario_, options_));
    if (!listening) return tl::unexpected(listening.error());
    server_ = std::move(*listening);
    engine_.emplace(
        scenario_,
        engine::Options{
            .seed = options_.seed, .wall_origin = clock_.wall_origin(), .run_url = urls().front()},
        recorder_);
    handler_.emplace(*engine_);
    server_->serve(*handler_);
    loop_.lag_probe().add(*this);
    write_out();
    return {};
  }

  journal::Run stop() {
    loop_.lag_probe().remove(*this);
    server_->stop();
    journal::Run run = recorder_.finish(clock_.now(), engine_->steps_unused());
    write_out();
    return run;
  }

  // After what stop() has posted.
  void let_go() { server_.reset(); }

  void client_ended(journal::ClientEnd end) {
    recorder_.add(std::move(end));
    write_out();
  }

  void late(Duration by) override {
    recorder_.add(journal::Lag{.at = clock_.now(), .late = by});
    write_out();
  }

  Loop::Impl& loop() { return loop_; }
  Instant now() const { return clock_.now(); }
  const std::vector<std::string>& urls() const { return server_->urls(); }
  journal::Recorder& recorder() { return recorder_; }

 private:
  void write_out() {
    if (options_.write_out) options_.write_out();
  }

  const scenario::Scenario& scenario_;
  Loop::Impl& loop_;
  RunOptions options_;
  net::Clock clock_;
  journal::Recorder recorder_;
  std::optional<engine::Engine> engine_;
  std::optional<EngineHandler> handler_;
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
  return impl_->loop().call([&] { return impl_->recorder().snapshot(); });
}

journal::Run LiveRun::stop() {
  CHECK(!stopped_);
  stopped_ = true;
  journal::Run run = impl_->loop().call([&] { return impl_->stop(); });
  impl_->loop().call([&] { impl_->let_go(); });
  return run;
}

}  // namespace retrylab::runs
