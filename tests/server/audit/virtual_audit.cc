// SPDX-License-Identifier: MIT
#include "tests/server/audit/virtual_audit.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "client_lib/base/check.h"
#include "client_lib/base/random.h"
#include "scenarios/catalogue.h"
#include "server/audit/audit_set.h"
#include "server/scenario/load.h"
#include "server/sim/herd_client.h"
#include "server/sim/virtual_run.h"

namespace retrylab::audit {
namespace {

using namespace std::chrono_literals;

scenario::Scenario loaded(std::string_view name) {
  const auto* entry = scenario::find_entry(name);
  CHECK(entry != nullptr);
  auto loaded = scenario::load(entry->text, [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "no files here");
  });
  CHECK(loaded.has_value());
  return std::move(*loaded);
}

// Wakes up a little late, sometimes by a few milliseconds.
class LateClient final : public sim::Client {
 public:
  LateClient(const sim::HerdClient::Job& job, std::uint64_t seed, VirtualAudit how)
      : client_(job, {.guards = {}, .seed = seed}),
        how_(how),
        random_(Random::stream(seed, "late")) {}

  sim::Move next(const Outcome* outcome, Instant now, WallTime wall) override {
    const bool refused = outcome != nullptr && outcome->failure == Failure::refused;
    if (refused && how_.ends_when_refused) return sim::Done{};
    auto move = client_.next(outcome, now, wall);
    auto* sleep = std::get_if<sim::SleepUntil>(&move);
    if (sleep == nullptr || !how_.noise) return move;
    sleep->at += random_.between(100us, 1500us);
    if (random_.chance({2, 100})) sleep->at += random_.between(2ms, 8ms);
    return move;
  }

 private:
  sim::HerdClient client_;
  VirtualAudit how_;
  Random random_;
};

journal::Run run_of(const scenario::Scenario& scenario, const Policy& policy, std::uint64_t seed,
                    std::uint32_t number, VirtualAudit how) {
  const sim::Asked asked = sim::request_for(scenario);
  sim::Measures measures;
  const sim::HerdClient::Job job{.policies = {&policy, 1},
                                 .services = {},
                                 .asked = &asked,
                                 .request = {},
                                 .measures = &measures};
  std::vector<std::unique_ptr<sim::Client>> clients;
  clients.push_back(
      std::make_unique<LateClient>(job, Random::stream(seed, scenario.name, number).next(), how));
  return sim::run_virtual(scenario, clients, {.seed = seed, .number = number, .limit = how.limit});
}

bool is_of_card(std::string_view name) {
  return name.starts_with("audit-") || name.starts_with("retry-after-") ||
         name == "payment-survives-two-503s";
}

}  // namespace

std::vector<Case> audit_virtually(const Policy& policy, std::uint64_t seed, VirtualAudit how) {
  std::vector<Case> cases;
  for (const SetEntry& entry : audit_set()) {
    const std::uint32_t repeat = how.quick ? entry.quick : entry.full;
    if (repeat == 0 || (how.policy_only && !is_of_card(entry.scenario))) continue;
    Case& one = cases.emplace_back(Case{.scenario = loaded(entry.scenario)});
    for (std::uint32_t number = 1; number <= repeat; ++number) {
      one.runs.push_back(run_of(one.scenario, policy, seed, number, how));
    }
    if (!how.policy_only) one.verdict = verify::verify(one.scenario, one.runs);
  }
  return cases;
}

}  // namespace retrylab::audit
