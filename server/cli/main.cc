// SPDX-License-Identifier: MIT
// The program's entry: splits off the client's command line, hands the rest to the subcommands.
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "server/cli/audit.h"
#include "server/cli/check.h"
#include "server/cli/exit_code.h"
#include "server/cli/health.h"
#include "server/cli/help.h"
#include "server/cli/init.h"
#include "server/cli/invocation.h"
#include "server/cli/late_openssl.h"
#include "server/cli/list.h"
#include "server/cli/print.h"
#include "server/cli/profiles.h"
#include "server/cli/rules.h"
#include "server/cli/run.h"
#include "server/cli/schema.h"
#include "server/cli/serve.h"
#include "server/cli/show.h"
#include "server/cli/simulate.h"
#include "server/cli/usage_error.h"
#include "server/cli/variables.h"
#include "server/cli/verify.h"
#include "server/report/report.h"
#include "server/scenario/json/nearest.h"

namespace retrylab::cli {
namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 pass, 1 a rule was broken, 2 wrong command line, 3 invalid scenario,\n"
    "4 could not run (port, file, client), 5 inconclusive, 128+n stopped by signal n.\n"
    "`retrylab help COMMAND` shows the flags of a command and an example;\n"
    "`retrylab variables` the environment variable of every flag.\n";

using Call = const Invocation&;

struct Command {
  std::string_view name;
  void (*add)(CLI::App& app, Call call, ExitCode& code);
};

// In the order of the help text.
constexpr Command kCommands[] = {
    {"run", [](auto& app, Call call, auto& code) { add_run(app, call, code); }},
    {"audit", [](auto& app, Call call, auto& code) { add_audit(app, call, code); }},
    {"serve", [](auto& app, Call call, auto& code) { add_serve(app, call, code); }},
    {"check", [](auto& app, Call, auto& code) { add_check(app, code); }},
    {"verify", [](auto& app, Call, auto& code) { add_verify(app, code); }},
    {"simulate", [](auto& app, Call call, auto& code) { add_simulate(app, call, code); }},
    {"list", [](auto& app, Call, auto& code) { add_list(app, code); }},
    {"show", [](auto& app, Call, auto& code) { add_show(app, code); }},
    {"init", [](auto& app, Call, auto& code) { add_init(app, code); }},
    {"profiles", [](auto& app, Call, auto& code) { add_profiles(app, code); }},
    {"rules", [](auto& app, Call, auto& code) { add_rules(app, code); }},
    {"schema", [](auto& app, Call, auto& code) { add_schema(app, code); }},
    {"health", [](auto& app, Call, auto& code) { add_health(app, code); }},
    {"variables", [](auto& app, Call, auto& code) { add_variables(app, code); }}};

// Only the one that is called, where that is clear: making the flags of all takes a millisecond.
// `variables` lists those of all.
void add_commands(CLI::App& app, std::string_view called, Call call, ExitCode& code) {
  const auto* const one = std::ranges::find(kCommands, called, &Command::name);
  if (one != std::end(kCommands) && called != "variables") return one->add(app, call, code);
  for (const Command& command : kCommands) command.add(app, call, code);
}

// CLI11 would only say that a command is missing.
std::optional<Error> find_unknown_command(const std::string& name) {
  if (name.starts_with('-')) return std::nullopt;
  std::vector<std::string_view> known;
  for (const Command& command : kCommands) known.push_back(command.name);
  if (std::ranges::find(known, name) != known.end()) return std::nullopt;
  const auto near = scenario::json::nearest(name, known);
  return Error{ErrorCode::invalid_argument, name,
               near.empty() ? "no such command; `retrylab --help` lists them"
                            : fmt::format("no such command; did you mean {}?", near)};
}

// "help run" is "run --help".
std::vector<std::string> without_help(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  if (arguments.size() == 1) return {"--help"};
  return {arguments[1], "--help"};
}

ExitCode parse(int argc, char** argv) {
  const auto arguments = without_help({argv + 1, argv + argc});
  const bool has_client =
      !arguments.empty() && (arguments.front() == "run" || arguments.front() == "audit");
  const auto split = has_client ? std::ranges::find(arguments, "--") : arguments.end();
  Invocation invocation{.program = argv[0], .client = {}};
  if (split != arguments.end()) invocation.client.assign(split + 1, arguments.end());

  CLI::App app("Proves that HTTP clients retry correctly, against a server that fails on cue.",
               "retrylab");
  ExitCode code = ExitCode::usage;
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("--version", fmt::format("retrylab {}", report::version()),
                       "Print the version and exit");
  app.footer(kExitCodes);
  add_commands(app, arguments.empty() ? "" : std::string_view(arguments.front()), invocation, code);

  if (arguments.empty()) {
    write_text(stderr, app.help());
    return ExitCode::usage;
  }
  if (const auto unknown = find_unknown_command(arguments.front())) {
    return give_up(*unknown);
  }
  read_variables(app, arguments.front());
  try {
    std::vector<std::string> reversed(arguments.begin(), split);
    std::ranges::reverse(reversed);
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream help;
      app.exit(error, help, help);
      write_text(stdout, help.str());
      return ExitCode::pass;
    }
    write_text(stderr, usage_error(app, error, {arguments.begin(), split}, invocation));
    return ExitCode::usage;
  }
  return code;
}

}  // namespace
}  // namespace retrylab::cli

int main(int argc, char** argv) {
  retrylab::cli::allow_openssl();
  // A reader of our output that leaves must not end a run in the middle.
  signal(SIGPIPE, SIG_IGN);
  const auto code = retrylab::cli::parse(argc, argv);
  // Whoever could not go on has said why.
  if (code == retrylab::cli::ExitCode::could_not_run) return static_cast<int>(code);
  const auto written = retrylab::cli::check_output();
  return static_cast<int>(written ? code : retrylab::cli::give_up(written.error()));
}
