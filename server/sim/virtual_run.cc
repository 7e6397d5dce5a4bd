// SPDX-License-Identifier: MIT
#include "server/sim/virtual_run.h"

#include <algorithm>

#include "server/engine/engine.h"
#include "server/sim/client_side.h"

namespace retrylab::sim {
namespace {

journal::Run blank_run(const scenario::Scenario& scenario, const VirtualOptions& options,
                       std::size_t clients) {
  journal::Run run;
  run.number = options.number;
  run.seed = options.seed;
  run.scenario_name = scenario.name;
  run.profile = scenario.expect.profile;
  run.scenario_hash = scenario.hash;
  run.wall_origin = options.wall_origin;
  run.one_process = options.one_process;
  run.processes = static_cast<std::uint32_t>(clients);
  return run;
}

}  // namespace

journal::Run run_virtual(const scenario::Scenario& scenario,
                         const std::vector<std::unique_ptr<Client>>& clients,
                         const VirtualOptions& options) {
  EventQueue queue;
  journal::Recorder recorder(blank_run(scenario, options, clients.size()),
                             {scenario.limits.journal_entries, scenario.limits.journal_bytes},
                             nullptr);
  engine::Engine engine(scenario, {options.seed, options.wall_origin, "http://localhost"},
                        recorder);
  ServerSide server(queue, engine, recorder, {options.server_lateness});
  std::size_t busy = clients.size();
  ClientSide::World world{queue,
                          server,
                          {.one_way = options.one_way},
                          options.wall_origin,
                          [&] { return !engine.gate(queue.now()).open; },
                          [&busy] { --busy; },
                          {},
                          {}};
  std::vector<std::unique_ptr<ClientSide>> sides;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    sides.push_back(
        std::make_unique<ClientSide>(world, *clients[i], static_cast<std::uint32_t>(i)));
    sides.back()->start(i < options.starts.size() ? options.starts[i] : Instant());
  }
  const Instant limit = Instant() + options.limit;
  while (busy > 0 && queue.run_next(limit)) {
  }
  const Instant last_fins = queue.now() + options.one_way;
  while (queue.run_next(std::min(last_fins, limit))) {
  }
  if (!std::ranges::all_of(sides, [](const auto& side) { return side->done(); }))
    queue.pass_until(limit);
  for (const auto& side : sides) side->kill();
  for (const auto& side : sides) recorder.add(side->end());
  return recorder.finish(queue.now(), engine.steps_unused());
}

}  // namespace retrylab::sim
