// SPDX-License-Identifier: MIT
#include "server/cli/show.h"

#include <memory>
#include <string>

#include "server/cli/flags.h"
#include "server/cli/print.h"
#include "server/cli/scenario_source.h"

namespace retrylab::cli {
namespace {

ExitCode show(const std::string& name) {
  const auto text = catalogue_text(name);
  if (!text) return give_up(text.error());
  print("{}", *text);
  return ExitCode::pass;
}

}  // namespace

void add_show(CLI::App& app, ExitCode& code) {
  auto* command = add_subcommand(app, "show", "Print a scenario of the catalogue.",
                                 "  retrylab show two-503-then-success > mine.json\n");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "A name that `retrylab list` prints")
      ->required()
      ->type_name("");
  command->callback([name, &code] { code = show(*name); });
}

}  // namespace retrylab::cli
