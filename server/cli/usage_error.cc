// SPDX-License-Identifier: MIT
#include "server/cli/usage_error.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/cli/variables.h"
#include "server/scenario/json/nearest.h"

namespace retrylab::cli {
namespace {

const CLI::App* called_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto commands = app.get_subcommands([&](const CLI::App* one) {
    return !arguments.empty() && one->get_name() == arguments.front();
  });
  return commands.empty() ? nullptr : commands.front();
}

bool takes_client(const CLI::App& command) {
  return command.get_name() == "run" || command.get_name() == "audit";
}

// "--profle=core" -> "no such flag; did you mean --profile?"
std::string unknown_flag(const CLI::App& command, const std::string& word) {
  const std::string flag = word.substr(0, word.find('='));
  std::vector<std::string> flags;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
  }
  const std::vector<std::string_view> known(flags.begin(), flags.end());
  const auto near = scenario::json::nearest(flag, known);
  return near.empty() ? fmt::format("{}: no such flag", flag)
                      : fmt::format("{}: no such flag; did you mean {}?", flag, near);
}

// "run payments.json python3 pay.py" -> the same with "--" before python3.
std::string with_client_apart(const std::vector<std::string>& arguments, const std::string& first) {
  std::vector<std::string> words{"retrylab"};
  auto client = std::ranges::find(arguments, first);
  words.insert(words.end(), arguments.begin(), client);
  words.emplace_back("--");
  words.insert(words.end(), client, arguments.end());
  return shell_line(words);
}

struct CommandLine {
  const std::vector<std::string>& arguments;  // all before "--"
  bool has_client;                            // something follows it
};

std::string unexpected_words(const CLI::App& command, const std::vector<std::string>& words,
                             const CommandLine& line) {
  const auto& first = words.front();
  if (first.starts_with('-')) return unknown_flag(command, first);
  if (takes_client(command) && !line.has_client) {
    return fmt::format("{}: is this the client? It stands after --, like this: {}", first,
                       with_client_apart(line.arguments, first));
  }
  return fmt::format("{}: not expected here", fmt::join(words, " "));
}

// The variable whose value the message complains about, or "": the command line has no such flag.
std::string variable_at_fault(const CLI::App& command, std::string_view message,
                              const std::vector<std::string>& arguments) {
  for (const auto* option : command.get_options()) {
    const auto variable = variable_of(*option);
    const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0') continue;
    const auto flag = "--" + option->get_lnames().front();
    const bool named = message.starts_with(flag + ":") || message.starts_with(flag + " ");
    const bool given = std::ranges::any_of(arguments, [&](const std::string& argument) {
      return argument == flag || argument.starts_with(flag + "=");
    });
    if (named && !given) return variable;
  }
  return "";
}

std::string describe(const CLI::App& app, const CLI::App* command, const CLI::ParseError& error,
                     const CommandLine& line) {
  if (command == nullptr) return error.what();
  // Its name is the command's.
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const auto words = app.remaining(true);
    if (!words.empty()) return unexpected_words(*command, words, line);
  }
  const auto variable = variable_at_fault(*command, error.what(), line.arguments);
  return variable.empty() ? error.what() : fmt::format("{}: {}", variable, error.what());
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error,
                        const std::vector<std::string>& arguments, const Invocation& invocation) {
  const auto* command = called_command(app, arguments);
  return fmt::format("retrylab: {}\n`retrylab {}--help` shows how\n",
                     describe(app, command, error, {arguments, !invocation.client.empty()}),
                     command == nullptr ? "" : command->get_name() + " ");
}

}  // namespace retrylab::cli
