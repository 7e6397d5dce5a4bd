// SPDX-License-Identifier: MIT
// How help texts look.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace retrylab::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();

  // CLI11 knows nothing of what follows "--".
  std::string make_usage(const CLI::App* app, std::string name) const override;
  // `retrylab variables` names the variables; here they would be noise.
  std::string make_option_opts(const CLI::Option* option) const override;
  // In a list of subcommands the first line of each description is enough.
  std::string make_subcommand(const CLI::App* sub) const override;
};

}  // namespace retrylab::cli
