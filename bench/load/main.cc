// SPDX-License-Identifier: MIT
// retrylab-load: the load program of the comparison. One measurement per call, against a server on
// 127.0.0.1; the result is one JSON line on stdout.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "bench/load/connects.h"
#include "bench/load/delays.h"
#include "bench/load/hold.h"
#include "bench/load/socket.h"
#include "bench/load/start.h"
#include "bench/load/throughput.h"

namespace {

using namespace retrylab::load;

constexpr std::size_t kOtherFiles = 64;

// What all measurements take.
template <typename Options>
CLI::App* add(CLI::App& app, const std::string& name, const std::string& about, Options& options) {
  CLI::App* command = app.add_subcommand(name, about);
  command->add_option("--port", options.port, "the server's port on 127.0.0.1")->required();
  command->add_option("--path", options.path, "the target of the requests")->required();
  return command;
}

void print(const nlohmann::json& result) {
  fmt::print("{}\n", result.dump());
}

void add_delays(CLI::App& app) {
  auto options = std::make_shared<DelaysOptions>();
  auto times = std::make_shared<std::array<Nanos, 3>>(std::array<Nanos, 3>{100, 0, 15'000});
  auto* command = add(app, "delays", "how late or early delayed answers come", *options);
  command->add_option("--clients", options->clients)->required();
  command->add_option("--delay-ms", (*times)[0], "what the server was told")->required();
  command->add_option("--spread-ms", (*times)[1], "from the first request to the last");
  command->add_option("--patience-ms", (*times)[2], "an answer later than this is lost");
  command->callback([options, times] {
    raise_descriptor_limit(options->clients + kOtherFiles);
    options->delay = (*times)[0] * kMillisecond;
    options->spread = (*times)[1] * kMillisecond;
    options->patience = (*times)[2] * kMillisecond;
    print(measure_delays(*options));
  });
}

void add_hold(CLI::App& app) {
  auto options = std::make_shared<HoldOptions>();
  auto* command = add(app, "hold", "keep connections open until stdin ends", *options);
  command->add_option("--clients", options->clients)->required();
  command->add_flag("--answered", options->answered, "each is answered first, and idles then");
  command->callback([options] {
    raise_descriptor_limit(options->clients + kOtherFiles);
    print(hold(*options));
  });
}

void add_connects(CLI::App& app) {
  auto options = std::make_shared<ConnectsOptions>();
  auto* command = add(app, "connects", "many connects at one instant", *options);
  command->add_option("--clients", options->clients)->required();
  command->callback([options] {
    raise_descriptor_limit(options->clients + kOtherFiles);
    print(measure_connects(*options));
  });
}

void add_throughput(CLI::App& app) {
  auto options = std::make_shared<ThroughputOptions>();
  auto milliseconds = std::make_shared<Nanos>(0);
  auto* command = add(app, "throughput", "requests per second", *options);
  command->add_option("--method", options->method);
  command->add_option("--paths", options->paths, "{} in the path becomes 0 ... paths - 1");
  command->add_option("--body", options->body, "a JSON body");
  command->add_option("--expect", options->expect, "the statuses of an operation's attempts")
      ->delimiter(',');
  command->add_flag("--key", options->key, "send an Idempotency-Key, one per operation");
  command->add_flag("--new-connections", options->new_connections, "one per request");
  command->add_option("--connections", options->connections);
  command->add_option("--duration-ms", *milliseconds);
  command->add_option("--requests", options->requests);
  command->callback([options, milliseconds] {
    raise_descriptor_limit(options->connections + kOtherFiles);
    options->duration = *milliseconds * kMillisecond;
    print(measure_throughput(*options));
  });
}

void add_start(CLI::App& app) {
  auto options = std::make_shared<StartOptions>();
  auto* command = add(app, "start", "from starting a server to its first answer", *options);
  command->add_option("command", options->command, "after --: the server's program")->required();
  command->callback([options] { print(measure_start(*options)); });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Measures a server on 127.0.0.1; the result is one JSON line on stdout."};
  app.require_subcommand(1);
  add_delays(app);
  add_hold(app);
  add_connects(app);
  add_throughput(app);
  add_start(app);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
