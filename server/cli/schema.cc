// SPDX-License-Identifier: MIT
#include "server/cli/schema.h"

#include <memory>

#include <fmt/format.h>

#include "server/cli/flags.h"
#include "server/report/json.h"
#include "server/scenario/load.h"

namespace retrylab::cli {

void add_schema(CLI::App& app, ExitCode& code) {
  auto* command =
      add_subcommand(app, "schema", "Print the JSON Schema (draft-07) of the scenario language.",
                     "  retrylab schema > scenario.schema.json\n"
                     "  retrylab schema --report > report.schema.json\n");
  auto of_report = std::make_shared<bool>(false);
  command->add_flag("--report", *of_report, "The schema of what --json writes instead");
  command->callback([of_report, &code] {
    fmt::print("{}", *of_report ? report::json_report_schema() : scenario::schema_text());
    code = ExitCode::pass;
  });
}

}  // namespace retrylab::cli
