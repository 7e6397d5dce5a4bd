// SPDX-License-Identifier: MIT
#include "tests/zoo/cage.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "client_lib/base/check.h"
#include "server/scenario/load.h"
#include "server/sim/virtual_run.h"
#include "tests/zoo/right_client.h"

namespace retrylab::zoo {
namespace {

using Clients = std::vector<std::unique_ptr<sim::Client>>;

// Operations have a name of their own, so that they can be told apart when a client makes several.
std::vector<Call> calls_of(const Call& call, const Visit& visit, std::uint32_t client) {
  std::vector<Call> calls(visit.operations, call);
  if (visit.operations == 1 && visit.clients == 1) return calls;
  const std::uint32_t group = visit.one_operation ? 0 : client;
  for (std::uint32_t i = 0; i < visit.operations; ++i) {
    calls[i].headers.push_back({"X-Op-Id", fmt::format("{}-{}", group, i)});
  }
  return calls;
}

Clients clients_of(const Call& call, const Habits& habits, const Visit& visit, std::uint64_t seed) {
  Clients clients;
  const auto together = std::make_shared<Shared>();
  for (std::uint32_t i = 0; i < visit.clients; ++i) {
    const bool share = visit.one_program || visit.one_breaker;
    const auto shared = share ? together : std::make_shared<Shared>();
    clients.push_back(std::make_unique<RightClient>(
        habits,
        RightClient::Setting{
            .calls = calls_of(call, visit, i), .every = visit.every, .shared = shared},
        Random::stream(seed, "zoo client", i)));
  }
  return clients;
}

std::vector<Instant> starts_of(const Visit& visit) {
  std::vector<Instant> starts;
  for (std::uint32_t i = 0; i < visit.clients; ++i) starts.push_back(Instant(visit.apart * i));
  return starts;
}

std::uint64_t seed_of(const Visit& visit, std::uint64_t seed, std::uint32_t run) {
  return Random::stream(seed, "zoo run", visit.one_seed ? run / 2 : run).next();
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

verify::Verdict judge(const scenario::Scenario& scenario, const Habits& habits, const Call& call,
                      const Visit& visit) {
  std::vector<journal::Run> runs;
  for (std::uint32_t i = 0; i < visit.runs; ++i) {
    const std::uint64_t seed = seed_of(visit, visit.seed, i);
    const sim::VirtualOptions options{.seed = seed,
                                      .number = i + 1,
                                      .server_lateness = visit.server_lateness,
                                      .starts = starts_of(visit)};
    runs.push_back(sim::run_virtual(scenario, clients_of(call, habits, visit, seed), options));
  }
  return verify::verify(scenario, runs);
}

Cage::Cage(scenario::Scenario scenario, Habits habits, Call call, Visit visit)
    : scenario_(std::move(scenario)),
      habits_(std::move(habits)),
      call_(std::move(call)),
      visit_(visit) {}

Cage::Cage(const WrongClient& client)
    : scenario_(loaded(scenario_text(client))),
      habits_(right_habits(declared_policy(scenario_.expect, client.jitter))),
      call_(calls_for(scenario_).front()),
      visit_(client.visit) {
  client.prepare(habits_);
  client.change(habits_);
}

verify::Verdict Cage::judge(std::uint64_t seed, Duration server_lateness) const {
  Visit visit = visit_;
  visit.seed = seed;
  visit.server_lateness = server_lateness;
  return zoo::judge(scenario_, habits_, call_, visit);
}

std::uint64_t Cage::run_seed(std::uint64_t seed, std::uint32_t run) const {
  return seed_of(visit_, seed, run);
}

Duration Cage::length(std::uint64_t seed) const {
  Duration longest{0};
  for (std::uint32_t i = 0; i < visit_.runs; ++i) {
    const std::uint64_t own = run_seed(seed, i);
    const auto run =
        sim::run_virtual(scenario_, clients(own), {.seed = own, .starts = starts_of(visit_)});
    longest = std::max(longest, run.ended.value_or(Instant()).time_since_epoch());
  }
  return longest;
}

Clients Cage::clients(std::uint64_t run_seed) const {
  return clients_of(call_, habits_, visit_, run_seed);
}

WrongClient mended(WrongClient client) {
  client.change = [](Habits&) {};
  client.visit.one_seed = false;
  client.visit.one_breaker = false;
  if (client.visit.one_operation) client.visit.clients = 1;
  return client;
}

std::vector<std::string> ids_with(const verify::Verdict& verdict, verify::Status status) {
  std::vector<std::string> ids;
  for (const verify::RuleResult& rule : verdict.rules) {
    if (rule.status == status) ids.push_back(rule.id);
  }
  return ids;
}

std::string story(const verify::Verdict& verdict) {
  std::string text = fmt::format("verdict {}\n", verify::word(verdict.status));
  for (const verify::RuleResult& rule : verdict.rules) {
    const bool is_telling =
        rule.status != verify::Status::pass && rule.status != verify::Status::not_applicable;
    if (!is_telling) continue;
    text += fmt::format("  {} {}: expected {}, observed {}\n", rule.id, verify::word(rule.status),
                        rule.expected, rule.observed);
  }
  return text;
}

}  // namespace retrylab::zoo
