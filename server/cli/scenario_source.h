// SPDX-License-Identifier: MIT
// A SCENARIO argument: a file, or the name of a scenario of the catalogue.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "server/cli/exit_code.h"
#include "server/scenario/scenario.h"

namespace retrylab::cli {

// A name with a slash or a dot is a file; any other is looked up in the catalogue first. What is
// wrong is printed on standard error, every mistake of a file with its place.
tl::expected<scenario::Scenario, ExitCode> load_scenario(const std::string& name);

// Whether that is what such a name means.
bool is_file(const std::string& name);
// The same, with what it was made from.
struct LoadedScenario {
  scenario::Scenario scenario;
  std::string text;
  std::string catalogue;  // its name there; "" : a file
};
tl::expected<LoadedScenario, ExitCode> load_scenario_and_text(const std::string& name);

// The whole file.
Result<std::string> read_file(const std::string& path);

// The text of a scenario of the catalogue.
Result<std::string> catalogue_text(const std::string& name);

}  // namespace retrylab::cli
