// SPDX-License-Identifier: MIT
// Runs a scenario through the server library.
#include <iostream>

#include "server/report/text.h"
#include "server/runs/live_run.h"
#include "server/scenario/load.h"

int main() {
  using namespace retrylab;
  const auto no_files = [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "no files here");
  };
  const auto scenario = scenario::load(
      R"({"name": "t", "routes": [{"on": "GET /", "script": [200]}],
          "expect": {"traffic": {"min": 0}}})",
      no_files);
  if (!scenario) return 3;
  runs::Loop loop;
  auto run = runs::LiveRun::start(*scenario, loop, {});
  if (!run) return 4;
  const journal::Run journal = (*run)->stop();
  const verify::Verdict verdict = verify::verify(*scenario, std::span(&journal, 1));
  std::cout << report::text_report({*scenario, std::span(&journal, 1), verdict}, {}) << "\n";
  return verdict.rules.empty() ? 1 : 0;
}
