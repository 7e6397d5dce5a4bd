// SPDX-License-Identifier: MIT
#include "server/cli/help.h"

#include <utility>

#include <fmt/format.h>

namespace retrylab::cli {

HelpFormatter::HelpFormatter() {
  column_width(30);
  label("REQUIRED", "");
  label("Positionals", "Arguments");
  label("SUBCOMMAND", "COMMAND");
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string usage = CLI::Formatter::make_usage(app, std::move(name));
  if (app->get_name() != "run" && app->get_name() != "audit") return usage;
  usage.erase(usage.find_last_not_of('\n') + 1);
  return usage + " -- CLIENT [ARGUMENTS]\n";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string text = CLI::Formatter::make_option_opts(option);
  const auto variable = text.find(" (" + get_label("Env") + ":");
  if (variable != std::string::npos) text.erase(variable, text.find(')', variable) + 1 - variable);
  return text;
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  const std::string description = sub->get_description();
  return fmt::format("  {:<10}{}\n", sub->get_name(),
                     description.substr(0, description.find('\n')));
}

}  // namespace retrylab::cli
