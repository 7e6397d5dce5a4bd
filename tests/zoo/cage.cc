// SPDX-License-Identifier: MIT
#include "tests/zoo/cage.h"

#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "client_lib/base/check.h"
#include "server/scenario/load.h"
#include "server/sim/virtual_run.h"

namespace retrylab::zoo {
namespace {

using Clients = std::vector<std::unique_ptr<sim::Client>>;

Clients clients_of(const Call& call, const Habits& habits, const Visit& visit, std::uint64_t seed) {
  Clients clients;
  for (std::uint32_t i = 0; i < visit.clients; ++i) {
    clients.push_back(std::make_unique<RightClient>(habits, std::vector(visit.operations, call),
                                                    Random::stream(seed, "zoo client", i)));
  }
  return clients;
}

std::vector<Instant> starts_of(const Visit& visit) {
  std::vector<Instant> starts;
  for (std::uint32_t i = 0; i < visit.clients; ++i) starts.push_back(Instant(visit.apart * i));
  return starts;
}

}  // namespace

scenario::Scenario loaded(std::string_view text) {
  auto scenario = scenario::load(text, [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "the zoo reads no file");
  });
  if (!scenario) {
    for (const auto& mistake : scenario.error()) std::cerr << mistake.message << '\n';
    std::cerr << text << '\n';
  }
  CHECK(scenario.has_value());
  return *std::move(scenario);
}

verify::Verdict judge(const scenario::Scenario& scenario, const Habits& habits,
                      const Visit& visit) {
  const Call call = call_for(scenario);
  std::vector<journal::Run> runs;
  for (std::uint32_t i = 0; i < visit.runs; ++i) {
    const std::uint64_t seed = Random::stream(visit.seed, "zoo run", i).next();
    const sim::VirtualOptions options{.seed = seed,
                                      .number = i + 1,
                                      .server_lateness = visit.server_lateness,
                                      .starts = starts_of(visit)};
    runs.push_back(sim::run_virtual(scenario, clients_of(call, habits, visit, seed), options));
  }
  return verify::verify(scenario, runs);
}

verify::Verdict judge(const WrongClient& client, std::uint64_t seed, Duration server_lateness) {
  const scenario::Scenario scenario = loaded(scenario_text(client));
  Habits habits = right_habits(declared_policy(scenario.expect, client.jitter));
  client.change(habits);
  return judge(scenario, habits,
               {.seed = seed,
                .runs = client.runs,
                .operations = client.operations,
                .clients = client.clients,
                .apart = client.apart,
                .server_lateness = server_lateness});
}

std::vector<std::string> failed_rules(const verify::Verdict& verdict) {
  std::vector<std::string> ids;
  for (const verify::RuleResult& rule : verdict.rules) {
    if (rule.status == verify::Status::fail) ids.push_back(rule.id);
  }
  return ids;
}

std::string story(const verify::Verdict& verdict) {
  std::string text = fmt::format("verdict {}\n", verify::word(verdict.status));
  for (const verify::RuleResult& rule : verdict.rules) {
    if (rule.status == verify::Status::pass) continue;
    text += fmt::format("  {} {}: expected {}, observed {}\n", rule.id, verify::word(rule.status),
                        rule.expected, rule.observed);
  }
  return text;
}

}  // namespace retrylab::zoo
