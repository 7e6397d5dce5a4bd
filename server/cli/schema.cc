// SPDX-License-Identifier: MIT
#include "server/cli/schema.h"

#include <memory>

#include "server/cli/flags.h"
#include "server/cli/print.h"
#include "server/control/openapi.h"
#include "server/report/json.h"
#include "server/scenario/load.h"

namespace retrylab::cli {

void add_schema(CLI::App& app, ExitCode& code) {
  auto* command =
      add_subcommand(app, "schema", "Print the JSON Schema (draft-07) of the scenario language.",
                     "  retrylab schema > scenario.schema.json\n"
                     "  retrylab schema --report > report.schema.json\n"
                     "  retrylab schema --openapi > openapi.json\n");
  struct Of {
    bool report = false;
    bool admin = false;
  };
  auto of = std::make_shared<Of>();
  auto* report =
      command->add_flag("--report", of->report, "The schema of what --json writes instead");
  command->add_flag("--openapi", of->admin, "The description of the admin API instead")
      ->excludes(report);
  command->callback([of, &code] {
    print("{}", of->admin    ? control::openapi_text()
                : of->report ? report::json_report_schema()
                             : scenario::schema_text());
    code = ExitCode::pass;
  });
}

}  // namespace retrylab::cli
