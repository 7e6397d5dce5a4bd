// SPDX-License-Identifier: MIT
// The decision, with the careful policy, against every scenario of the catalogue in virtual time:
// each must end in a pass, whatever the seed.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "client_lib/retry/idempotency_key.h"
#include "client_lib/retry/presets.h"
#include "scenarios/catalogue.h"
#include "server/report/text.h"
#include "server/scenario/load.h"
#include "server/verify/verdict.h"
#include "tests/client_lib/catalogue/decision_client.h"
#include "tests/client_lib/catalogue/request_for.h"

namespace retrylab {
namespace {

scenario::Scenario load(std::string_view text) {
  auto loaded = scenario::load(text, [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "no files here");
  });
  if (loaded) return std::move(*loaded);
  for (const auto& mistake : loaded.error()) ADD_FAILURE() << mistake.message;
  return {};
}

sim::Send send_for(const scenario::Scenario& scenario, std::uint64_t seed) {
  const Asked asked = request_for(scenario);
  sim::Send send{.method = asked.method, .target = asked.target, .body = asked.body};
  Random random(seed);
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
  if (asked.needs_key) send.headers.push_back({"Idempotency-Key", uuid_v4(bytes)});
  return send;
}

using Catalogue = ::testing::TestWithParam<std::size_t>;

TEST_P(Catalogue, passes_in_virtual_time) {
  const scenario::CatalogueEntry& entry = scenario::catalogue()[GetParam()];
  const scenario::Scenario scenario = load(entry.text);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<std::unique_ptr<sim::Client>> clients;
    clients.push_back(std::make_unique<DecisionClient>(careful(), send_for(scenario, seed), seed));
    const journal::Run run = sim::run_virtual(scenario, clients, {.seed = seed});
    const verify::Verdict verdict = verify::verify(scenario, std::span(&run, 1));
    ASSERT_EQ(verdict.status, verify::Status::pass)
        << "seed " << seed << "\n"
        << report::text_report({scenario, std::span(&run, 1), verdict}, {});
  }
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& instance) {
  std::string name(scenario::catalogue()[instance.param].name);
  for (char& letter : name) {
    if (letter == '-') letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Catalogue,
                         ::testing::Range<std::size_t>(0, scenario::catalogue().size()), name_of);

}  // namespace
}  // namespace retrylab
