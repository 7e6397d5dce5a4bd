// SPDX-License-Identifier: MIT
#include "server/cli/check.h"

#include <memory>
#include <string>
#include <vector>

#include "server/cli/doubts.h"
#include "server/cli/flags.h"
#include "server/cli/print.h"
#include "server/cli/scenario_source.h"
#include "server/report/story.h"

namespace retrylab::cli {
namespace {

std::size_t count_steps(const scenario::Scenario& scenario) {
  std::size_t steps = 0;
  for (const auto& route : scenario.routes) steps += route.script.size();
  return steps;
}

// All files, not only up to the first bad one; a bad scenario outweighs an unreadable file.
ExitCode check(const std::vector<std::string>& names) {
  ExitCode worst = ExitCode::pass;
  for (const auto& name : names) {
    const auto scenario = load_scenario(name);
    if (scenario) {
      warn_of_doubt(name, *scenario);
      print("{}: ok, {} and {}\n", name, report::counted(scenario->routes.size(), "route"),
            report::counted(count_steps(*scenario), "step"));
    } else if (worst != ExitCode::invalid_scenario) {
      worst = scenario.error();
    }
  }
  return worst;
}

}  // namespace

void add_check(CLI::App& app, ExitCode& code) {
  auto* command =
      add_subcommand(app, "check", "Validate scenarios: every mistake with its place, exit code 3.",
                     "  retrylab check payments.json scenarios/*.json\n");
  auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("SCENARIO", *names, "Files, or names that `retrylab list` prints")
      ->required()
      ->type_name("");
  command->callback([names, &code] { code = check(*names); });
}

}  // namespace retrylab::cli
