// SPDX-License-Identifier: MIT
#include "server/cli/verify.h"

#include <memory>
#include <string>

#include "server/cli/flags.h"
#include "server/cli/journal_file.h"
#include "server/cli/outputs.h"
#include "server/cli/print.h"
#include "server/cli/profile_argument.h"
#include "server/cli/scenario_source.h"
#include "server/runs/in_parallel.h"
#include "server/verify/verdict.h"

namespace retrylab::cli {
namespace {

struct VerifyFlags {
  std::string scenario;
  std::string journal;
  std::string profile;
  verify::Statistics statistics = verify::Statistics::where_possible;
  Outputs outputs;
};

// What was asked for, or else what the run was judged by, so that the verdict is the same.
Result<void> choose_profile(const VerifyFlags& flags, const journal::Run& run,
                            scenario::Scenario& scenario) {
  const bool is_asked = !flags.profile.empty();
  auto name = profile_argument(is_asked ? flags.profile : run.profile);
  if (!name) {
    if (!is_asked) name.error().where = flags.journal + ", profile \"" + run.profile + "\"";
    return tl::unexpected(name.error());
  }
  // An older journal names none: the scenario's own.
  if (!name->empty()) scenario.expect.profile = *name;
  return {};
}

ExitCode judge(const VerifyFlags& flags) {
  auto scenario = load_scenario(flags.scenario);
  if (!scenario) return scenario.error();
  const auto journal = read_journal(flags.journal, scenario->hash);
  if (!journal) return give_up(journal.error());
  for (const auto& note : journal->notes) {
    print(stderr, "retrylab: {}: {}\n", flags.journal, note);
  }
  const auto chosen = choose_profile(flags, journal->runs.front(), *scenario);
  if (!chosen) return give_up(chosen.error());
  const auto verdict =
      verify::verify(*scenario, journal->runs, flags.statistics, runs::in_parallel);
  const auto written = write_reports({*scenario, journal->runs, verdict}, flags.outputs,
                                     flags.outputs.takes_stdout() ? stderr : stdout);
  if (!written) return give_up(written.error());
  return exit_code(verdict.status, Inconclusive::report);
}

}  // namespace

void add_verify(CLI::App& app, ExitCode& code) {
  auto* command = add_subcommand(app, "verify",
                                 "Judge a journal again, offline: the same reports as the run's.",
                                 "  retrylab run payments.json --journal j.ndjson -- ./my-client\n"
                                 "  retrylab verify payments.json j.ndjson --json report.json\n");
  auto flags = std::make_shared<VerifyFlags>();
  command->add_option("SCENARIO", flags->scenario, "The scenario that the journal was made with")
      ->required()
      ->type_name("");
  command->add_option("JOURNAL", flags->journal, "A file that --journal wrote")
      ->required()
      ->type_name("");
  command->add_option("--profile", flags->profile,
                      "Judge by this profile, not by the one that the run was judged by");
  add_statistics(*command, flags->statistics);
  add_outputs(*command, flags->outputs);
  command->callback([flags, &code] { code = judge(*flags); });
}

}  // namespace retrylab::cli
