// SPDX-License-Identifier: MIT
#include "server/cli/simulate.h"

#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "client_lib/retry/policy_json.h"
#include "server/cli/flags.h"
#include "server/cli/layers_argument.h"
#include "server/cli/network_argument.h"
#include "server/cli/print.h"
#include "server/cli/progress.h"
#include "server/cli/scenario_source.h"
#include "server/cli/seeds.h"
#include "server/cli/sweep_argument.h"
#include "server/cli/write_to.h"
#include "server/report/herd/herd_report.h"
#include "server/report/story.h"
#include "server/sim/herd.h"

namespace retrylab::cli {
namespace {

struct Flags {
  std::string scenario;
  std::uint32_t clients = 100;
  std::vector<std::string> policies;
  std::uint32_t operations = 1;
  Duration think{0};
  std::uint32_t rate = 0;  // per second, all clients together; 0: a closed loop
  Duration length{0};
  bool evenly = false;
  std::string network = "20us";
  std::string loss = "0";
  std::optional<std::uint64_t> seed;
  std::uint32_t seeds = 1;
  std::string sweep;
  std::uint64_t events_max = 100'000'000;
  Duration time_max{std::chrono::hours(24)};
  std::string json;
  std::string csv;
  std::string html;
};

struct Plan {
  scenario::Scenario scenario;
  std::vector<std::vector<Policy>> policies;  // each from the clients down
  sim::Network network;
  Sweep sweep;
};

Result<Plan> read_plan(const Flags& flags, scenario::Scenario scenario) {
  Plan plan{.scenario = std::move(scenario), .policies = {}, .network = {}, .sweep = {}};
  for (const std::string& text : flags.policies) {
    auto layers = layers_argument(text);
    if (!layers) return tl::unexpected(layers.error());
    plan.policies.push_back(std::move(*layers));
  }
  const auto network = network_argument(flags.network);
  if (!network) return tl::unexpected(network.error());
  const auto loss = loss_argument(flags.loss);
  if (!loss) return tl::unexpected(loss.error());
  plan.network = *network;
  plan.network.loss = *loss;
  if (flags.sweep.empty()) return plan;
  const auto sweep = sweep_argument(flags.sweep);
  if (!sweep) return tl::unexpected(sweep.error());
  plan.sweep = *sweep;
  if (flags.rate > 0 && sweep->parameter == "operations") {
    return fail(ErrorCode::invalid_argument, "--sweep",
                "with --rate operations begin at that rate: there is no number of them to sweep");
  }
  return plan;
}

// The herd at one point of the sweep, or of the flags alone.
sim::Herd herd_at(const Flags& flags, const Plan& plan, std::optional<std::uint32_t> value) {
  const auto swept = [&](std::string_view name, std::uint32_t otherwise) {
    return value && plan.sweep.parameter == name ? *value : otherwise;
  };
  sim::Herd herd{.clients = swept("clients", flags.clients),
                 .policy = {},
                 .services = {},
                 .operations = swept("operations", flags.operations),
                 .think = flags.think,
                 .length = flags.length,
                 .network = plan.network,
                 .events_max = flags.events_max,
                 .time_max = flags.time_max};
  const std::uint32_t rate = swept("rate", flags.rate);
  if (rate > 0) {
    herd.interval = std::chrono::nanoseconds(std::chrono::seconds(1)) * herd.clients / rate;
    if (flags.evenly) herd.evenly_per_second = rate;
  }
  return herd;
}

// One policy as an object; those of several layers as an array.
std::string layers_json(const std::vector<Policy>& layers) {
  if (layers.size() == 1) return policy_to_json(layers.front());
  std::string json;
  for (const Policy& policy : layers) json += (json.empty() ? "[" : ",") + policy_to_json(policy);
  return json + "]";
}

// One herd of a simulation, and the policy that it has.
struct HerdPlan {
  sim::Herd herd;
  std::size_t policy = 0;
};

report::HerdColumn simulate_policy(const Flags& flags, const Plan& plan, HerdPlan one,
                                   Progress& progress) {
  sim::Herd& herd = one.herd;
  report::HerdColumn column{.policy = flags.policies[one.policy],
                            .policy_json = layers_json(plan.policies[one.policy])};
  for (std::uint32_t number = 1; number <= flags.seeds; ++number) {
    herd.seed = run_seed(*flags.seed, number);
    sim::HerdResult result = sim::run_herd(plan.scenario, herd);
    column.runs.push_back(result.measures.summary());
    if (result.stopped == sim::HerdResult::Stopped::events) column.stopped = "events";
    if (result.stopped == sim::HerdResult::Stopped::time) column.stopped = "time";
    if (number == 1) column.first = std::move(result.measures);
    progress.step();
  }
  return column;
}

// Of one value of the sweep: a herd for each policy.
Result<std::vector<HerdPlan>> plans_at(const Flags& flags, const Plan& plan,
                                       std::optional<std::uint32_t> value) {
  std::vector<HerdPlan> plans;
  for (std::size_t policy = 0; policy < plan.policies.size(); ++policy) {
    sim::Herd herd = herd_at(flags, plan, value);
    const std::vector<Policy>& layers = plan.policies[policy];
    herd.policy = layers.front();
    herd.services.assign(layers.begin() + 1, layers.end());
    if (const auto checked = sim::check_herd(plan.scenario, herd); !checked) {
      return tl::unexpected(checked.error());
    }
    plans.push_back({.herd = std::move(herd), .policy = policy});
  }
  return plans;
}

// What is impossible is said before anything is simulated, though it be the last value of a sweep.
Result<std::vector<report::HerdPoint>> simulate_all(const Flags& flags, const Plan& plan) {
  std::vector<std::optional<std::uint32_t>> values{std::nullopt};
  if (!plan.sweep.values.empty()) values.assign(plan.sweep.values.begin(), plan.sweep.values.end());
  std::vector<std::vector<HerdPlan>> planned;
  for (const auto& value : values) {
    auto plans = plans_at(flags, plan, value);
    if (!plans) return tl::unexpected(plans.error());
    planned.push_back(std::move(*plans));
  }
  Progress progress(values.size() * plan.policies.size() * flags.seeds, "runs");
  std::vector<report::HerdPoint> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    report::HerdPoint& point = points.emplace_back();
    if (values[i]) point.value = std::to_string(*values[i]);
    for (HerdPlan& one : planned[i]) {
      point.columns.push_back(simulate_policy(flags, plan, std::move(one), progress));
    }
  }
  return points;
}

std::string describe_clients(const Flags& flags) {
  const bool swept = flags.sweep.starts_with("clients=");
  const std::string clients = swept ? "clients as swept" : report::counted(flags.clients, "client");
  if (flags.rate > 0) {
    return fmt::format("{} with {}/s in all for {}{}", clients, flags.rate,
                       format_duration(flags.length), flags.evenly ? ", evenly" : "");
  }
  return fmt::format("{} at once, {} each", clients,
                     report::counted(flags.operations, "operation"));
}

std::string replay_line(const Flags& flags, const Invocation& invocation) {
  std::vector<std::string> words{invocation.program, "simulate", flags.scenario};
  const auto add = [&](std::string flag, std::string value, bool wanted) {
    if (wanted) words.insert(words.end(), {std::move(flag), std::move(value)});
  };
  add("--clients", std::to_string(flags.clients), true);
  for (const std::string& policy : flags.policies) add("--policy", policy, true);
  add("--operations", std::to_string(flags.operations), flags.operations != 1);
  add("--think", format_duration(flags.think), flags.think > Duration(0));
  add("--rate", std::to_string(flags.rate), flags.rate > 0);
  add("--for", format_duration(flags.length), flags.length > Duration(0));
  if (flags.evenly) words.emplace_back("--even");
  add("--network", flags.network, flags.network != "20us");
  add("--loss", flags.loss, flags.loss != "0");
  add("--sweep", flags.sweep, !flags.sweep.empty());
  add("--seeds", std::to_string(flags.seeds), flags.seeds > 1);
  add("--seed", std::to_string(*flags.seed), true);
  return shell_line(words);
}

Result<void> write_all(const Flags& flags, const report::HerdReport& report) {
  const struct {
    const std::string& target;
    std::string (*write)(const report::HerdReport&);
  } files[] = {{flags.json, report::herd_json},
               {flags.csv, report::herd_csv},
               {flags.html, report::herd_html}};
  bool takes_stdout = false;
  for (const auto& file : files) {
    if (file.target.empty()) continue;
    takes_stdout = takes_stdout || file.target == "-";
    if (auto written = write_to(file.target, file.write(report)); !written) return written;
  }
  print(takes_stdout ? stderr : stdout, "{}", report::herd_text(report));
  return {};
}

ExitCode simulate(Flags flags, const Invocation& invocation) {
  if (flags.policies.empty()) flags.policies.emplace_back("careful");
  auto scenario = load_scenario(flags.scenario);
  if (!scenario) return scenario.error();
  flags.seed = choose_seed(flags.seed, scenario->seed);
  const auto plan = read_plan(flags, std::move(*scenario));
  if (!plan) return give_up(plan.error());
  auto points = simulate_all(flags, *plan);
  if (!points) return give_up(points.error());
  const report::HerdReport report{.scenario = plan->scenario.name,
                                  .about = plan->scenario.about,
                                  .clients = describe_clients(flags),
                                  .network = describe(plan->network),
                                  .command = replay_line(flags, invocation),
                                  .seed = *flags.seed,
                                  .seeds = flags.seeds,
                                  .sweep = plan->sweep.parameter,
                                  .points = std::move(*points)};
  const auto written = write_all(flags, report);
  return written ? ExitCode::pass : give_up(written.error());
}

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

void add_herd_flags(CLI::App& command, Flags& flags) {
  command.add_option("--clients", flags.clients, "How many there are (default 100)")
      ->option_text("N")
      ->check(whole_number(1, kMost));
  command
      .add_option("--policy", flags.policies,
                  "How they retry: a preset, a file, or members: careful,jitter=none; several are "
                  "compared on the same draws (default careful). A+B+C: services between them and "
                  "the server retry too, B and C")
      ->option_text("POLICY");
  command.add_option("--operations", flags.operations, "Of each client, one after another")
      ->option_text("N")
      ->check(whole_number(1, kMost));
  add_duration(command, "--think", flags.think, "Between two operations of a client");
  command
      .add_option(
          "--rate", flags.rate,
          "Instead: operations begin at this rate per second in all, however many are under "
          "way (Poisson)")
      ->option_text("N")
      ->check(whole_number(1, kMost))
      ->excludes("--operations")
      ->excludes("--think");
  add_duration(command, "--for", flags.length, "How long they begin at that rate");
  command.add_flag("--even", flags.evenly, "They begin at equal distances, the clients in turn");
  command
      .add_option("--network", flags.network,
                  "Delay each way: 10ms, normal:10ms,2ms, exponential:10ms (default 20us)")
      ->option_text("DELAY");
  command.add_option("--loss", flags.loss, "Share of messages that never arrive: 1%")
      ->option_text("P");
}

}  // namespace

void add_simulate(CLI::App& app, const Invocation& invocation, ExitCode& code) {
  auto* command = add_subcommand(
      app, "simulate",
      "What a herd of clients does to a scenario's server, in virtual time: the same engine and "
      "the same retry decision as over sockets.",
      "  retrylab simulate outage.json --clients 1000 --policy careful --policy aws-standard-2.1\n"
      "  retrylab simulate outage.json --rate 1000 --for 60s --policy attempts=4,base=0ms,cap=0ms\n"
      "  retrylab simulate outage.json --sweep clients=10..1000 --seeds 200 --csv herd.csv\n");
  auto flags = std::make_shared<Flags>();
  command->add_option("SCENARIO", flags->scenario, "A file, or a name that `retrylab list` prints")
      ->required()
      ->type_name("");
  add_herd_flags(*command, *flags);
  command->add_option("--sweep", flags->sweep, "clients=10..1000, clients=10..200:10, rate=100,200")
      ->option_text("NAME=VALUES");
  command->add_option("--seeds", flags->seeds, "So many runs of each; medians and intervals")
      ->option_text("N")
      ->check(whole_number(1, 100'000));
  add_seed(*command, flags->seed);
  command->add_option("--events-max", flags->events_max, "A run is stopped after so many events")
      ->option_text("N")
      ->check(whole_number(1, std::numeric_limits<std::uint64_t>::max()));
  add_duration(*command, "--time-max", flags->time_max, "... or after this much virtual time");
  command->add_option("--json", flags->json, "Write everything as JSON to FILE, or - for stdout")
      ->option_text("FILE|-");
  command->add_option("--csv", flags->csv, "One line per run")->option_text("FILE|-");
  command->add_option("--html", flags->html, "One HTML file with charts")->option_text("FILE|-");
  command->callback([flags, &invocation, &code] { code = simulate(*flags, invocation); });
}

}  // namespace retrylab::cli
