// SPDX-License-Identifier: MIT
#include "server/cli/variables.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/cli/flags.h"
#include "server/cli/print.h"

namespace retrylab::cli {
namespace {

struct Variable {
  std::string flag;
  std::vector<std::string> commands;  // that have the flag
};

std::map<std::string, Variable> all_variables(const CLI::App& app) {
  std::map<std::string, Variable> variables;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (const auto* option : command->get_options()) {
      const auto name = variable_of(*option);
      if (name.empty()) continue;
      auto& variable = variables[name];
      variable.flag = "--" + option->get_lnames().front();
      variable.commands.push_back(command->get_name());
    }
  }
  return variables;
}

void print_table(const CLI::App& app) {
  print("{:<30}{:<24}{}\n", "variable", "flag", "commands");
  for (const auto& [name, variable] : all_variables(app)) {
    cli::print("{:<30}{:<24}{}\n", name, variable.flag, fmt::join(variable.commands, ", "));
  }
}

void print_markdown(const CLI::App& app) {
  print(
      "# Environment variables\n\n"
      "`retrylab variables --markdown`. Every flag has one; the command line wins over it, and an\n"
      "empty one counts as not set. A flag without a value is set by `1` or `true`.\n\n"
      "| variable | flag | commands |\n|---|---|---|\n");
  for (const auto& [name, variable] : all_variables(app)) {
    cli::print("| `{}` | `{}` | {} |\n", name, variable.flag, fmt::join(variable.commands, ", "));
  }
}

}  // namespace

std::string variable_of(const CLI::Option& option) {
  const auto& names = option.get_lnames();
  if (names.empty() || names.front() == "help" || names.front() == "version") return "";
  std::string name = "RETRYLAB_";
  for (const char letter : names.front()) {
    const bool small = letter >= 'a' && letter <= 'z';
    name += letter == '-' ? '_' : small ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return name;
}

void read_variables(CLI::App& app, const std::string& command) {
  const auto is_called = [&](const CLI::App* one) { return one->get_name() == command; };
  for (auto* called : app.get_subcommands(is_called)) {
    for (auto* option : called->get_options()) {
      if (const auto name = variable_of(*option); !name.empty()) option->envname(name);
    }
  }
}

void add_variables(CLI::App& app, ExitCode& code) {
  auto* command = add_subcommand(app, "variables", "Print the environment variable of every flag.",
                                 "  retrylab variables\n"
                                 "  RETRYLAB_SEED=7 retrylab serve two-503-then-success\n");
  auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "As docs/variables.md has it");
  command->callback([markdown, &app, &code] {
    if (*markdown)
      print_markdown(app);
    else
      print_table(app);
    code = ExitCode::pass;
  });
}

}  // namespace retrylab::cli
