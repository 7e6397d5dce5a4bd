// SPDX-License-Identifier: MIT
#include "tests/server/scenario/loading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/scenario/load.h"

namespace retrylab::scenario {

Scenario loaded(std::string_view text) {
  const auto scenario = load(text, [](const std::string& path) -> Result<std::string> {
    return "the content of " + path;
  });
  if (scenario) return *scenario;
  for (const Mistake& mistake : scenario.error()) ADD_FAILURE() << describe("text", mistake);
  Scenario empty;
  empty.routes.push_back({});
  empty.routes.front().script.push_back({});
  return empty;
}

Step loaded_step(std::string_view step) {
  return loaded(fmt::format(R"({{"name": "x", "routes": [{{"on": "POST /a", "script": [{}]}}]}})",
                            step))
      .routes.front()
      .script.front();
}

Route loaded_route(std::string_view members) {
  return loaded(
             fmt::format(R"({{"name": "x", "routes": [{{"on": "POST /a", "script": [200], {}}}]}})",
                         members))
      .routes.front();
}

Expect loaded_expect(std::string_view expect) {
  return loaded(fmt::format(R"({{"name": "x", "routes": [{{"on": "POST /a", "creates": "payment",
                                 "script": [200]}}], "expect": {}}})",
                            expect))
      .expect;
}

}  // namespace retrylab::scenario
