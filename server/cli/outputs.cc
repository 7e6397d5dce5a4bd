// SPDX-License-Identifier: MIT
#include "server/cli/outputs.h"

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "server/cli/print.h"
#include "server/cli/terminal.h"
#include "server/cli/write_to.h"
#include "server/report/github.h"
#include "server/report/html.h"
#include "server/report/json.h"
#include "server/report/junit.h"
#include "server/report/text.h"

namespace retrylab::cli {
namespace {

// Annotations go where the workflow reads them, the summary into the file that GitHub names.
Result<void> write_github(const report::Report& report, std::FILE* text) {
  print(text, "{}", report::github_annotations(report));
  const char* path = std::getenv("GITHUB_STEP_SUMMARY");
  if (path == nullptr) return {};
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << report::github_summary(report);
  file.close();
  if (file) return {};
  return fail(ErrorCode::machine, path, "cannot write GITHUB_STEP_SUMMARY");
}

}  // namespace

void add_outputs(CLI::App& command, Outputs& outputs) {
  command.add_option("--json", outputs.json, "Write the report as JSON to FILE, or - for stdout")
      ->option_text("FILE|-");
  command.add_option("--junit", outputs.junit, "The same as JUnit XML")->option_text("FILE|-");
  command.add_option("--html", outputs.html, "The same as one HTML file")->option_text("FILE|-");
  command.add_flag("--github", outputs.github,
                   "Print annotations for GitHub Actions and write its step summary");
  command.add_flag("--verbose", outputs.verbose, "Show every attempt, operation and rule");
}

Result<void> write_reports(const report::Report& report, const Outputs& outputs, std::FILE* text) {
  const struct {
    const std::string& target;
    std::string (*write)(const report::Report&);
  } files[] = {{outputs.json, report::json_report},
               {outputs.junit, report::junit_report},
               {outputs.html, report::html_report}};
  for (const auto& file : files) {
    if (file.target.empty()) continue;
    if (auto written = write_to(file.target, file.write(report)); !written) return written;
  }
  if (outputs.github) {
    if (auto written = write_github(report, text); !written) return written;
  }
  print(text, "{}", report::text_report(report, text_options(text, outputs.verbose)));
  std::fflush(text);
  return {};
}

void write_failure(const std::string& scenario, const Error& error, const Outputs& outputs) {
  if (outputs.junit.empty()) return;
  const auto problem = error.where.empty() ? error.message : error.where + ": " + error.message;
  // The error itself is what the user has to see.
  static_cast<void>(write_to(outputs.junit, report::junit_error(scenario, problem)));
}

}  // namespace retrylab::cli
