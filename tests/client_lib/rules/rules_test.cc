// SPDX-License-Identifier: MIT
// Every cage of the zoo, each built to bring a breach of one rule to light, with the client's
// decision in it: no rule is broken, and each rule had something to judge somewhere.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/sim/virtual_run.h"
#include "server/verify/verdict.h"
#include "tests/client_lib/rules/cage_policy.h"
#include "tests/client_lib/rules/reference_program.h"
#include "tests/zoo/cage.h"

namespace retrylab {
namespace {

using verify::Status;
using Clients = std::vector<std::unique_ptr<sim::Client>>;

std::vector<zoo::Call> calls_of(const scenario::Scenario& scenario, const zoo::Visit& visit,
                                std::uint32_t client) {
  std::vector<zoo::Call> calls(visit.operations, zoo::calls_for(scenario).front());
  if (visit.operations == 1 && visit.clients == 1) return calls;
  for (std::uint32_t i = 0; i < visit.operations; ++i) {
    calls[i].headers.push_back({"X-Op-Id", std::to_string(client) + "-" + std::to_string(i)});
  }
  return calls;
}

Clients clients_of(const scenario::Scenario& scenario, const Policy& policy,
                   const zoo::Visit& visit, std::uint64_t seed) {
  Clients clients;
  const auto together = std::make_shared<SharedState>(policy);
  for (std::uint32_t i = 0; i < visit.clients; ++i) {
    const auto shared = visit.one_program ? together : std::make_shared<SharedState>(policy);
    clients.push_back(std::make_unique<ReferenceProgram>(
        policy,
        ReferenceProgram::Setting{
            .calls = calls_of(scenario, visit, i), .every = visit.every, .shared = shared},
        Random::stream(seed, "reference", i)));
  }
  return clients;
}

verify::Verdict judge(const zoo::WrongClient& cage, std::uint64_t seed) {
  const scenario::Scenario scenario = zoo::loaded(zoo::scenario_text(cage));
  const Policy policy = policy_for(cage, scenario.expect);
  EXPECT_TRUE(checked(policy)) << cage.name;
  std::vector<journal::Run> runs;
  for (std::uint32_t run = 0; run < cage.visit.runs; ++run) {
    const std::uint64_t run_seed = Random::stream(seed, "run", run).next();
    std::vector<Instant> starts;
    for (std::uint32_t i = 0; i < cage.visit.clients; ++i) {
      starts.push_back(Instant(cage.visit.apart * i));
    }
    runs.push_back(sim::run_virtual(scenario, clients_of(scenario, policy, cage.visit, run_seed),
                                    {.seed = run_seed, .number = run + 1, .starts = starts}));
  }
  return verify::verify(scenario, runs);
}

// What this client never does, or no cage brings about.
const std::set<std::string> kNothingToJudge{
    "CLS-5",  // no cage has a 408 that closes its connection; tests/client_lib/transports has
    "CLS-8",  // sends nothing early
    "AT-6",   // does not hedge
    "AT-8",   // sends no attempt counter
    "CB-5",   // asks one host
    "TH-1",   // holds retries back, not first attempts
};

// Full jitter comes back within 5 ms now and then. And two hundred clients that are told the same
// two seconds have to oversleep them, to come back as evenly as the cage of HERD-4 wants.
bool is_expected_advice(const zoo::WrongClient& cage, const verify::RuleResult& rule) {
  return rule.id == "BO-3" || (rule.id == "RA-2" && cage.rule == "HERD-4");
}

TEST(Rules, the_decision_breaks_none_and_each_is_judged) {
  std::map<std::string, std::set<Status>> seen;
  for (const zoo::WrongClient& wrong : zoo::wrong_clients()) {
    if (wrong.rule == "TH-1") continue;
    const zoo::WrongClient cage = zoo::mended(wrong);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const verify::Verdict verdict = judge(cage, seed);
      EXPECT_EQ(verdict.status, Status::pass) << cage.name << ", seed " << seed << "\n"
                                              << zoo::story(verdict);
      for (const verify::RuleResult& rule : verdict.rules) {
        seen[rule.id].insert(rule.status);
        if (is_expected_advice(cage, rule)) continue;
        EXPECT_NE(rule.status, Status::advice) << cage.name << ", seed " << seed << "\n"
                                               << zoo::story(verdict);
      }
    }
  }
  for (const auto& [id, statuses] : seen) {
    if (id.find('-') == std::string::npos) continue;  // a plain expectation
    if (!kNothingToJudge.contains(id)) {
      EXPECT_TRUE(statuses.contains(Status::pass)) << id << " had nothing to judge anywhere";
    }
  }
}

}  // namespace
}  // namespace retrylab
