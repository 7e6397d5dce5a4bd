// SPDX-License-Identifier: MIT
#include "server/cli/outputs.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "server/cli/terminal.h"
#include "server/report/json.h"
#include "server/report/text.h"

namespace retrylab::cli {
namespace {

Result<void> write_to(const std::string& target, std::string_view text) {
  if (target == "-") {
    fmt::print("{}", text);
    std::fflush(stdout);
    return {};
  }
  std::ofstream file(target, std::ios::binary);
  file << text;
  file.close();
  if (file) return {};
  return fail(ErrorCode::machine, target,
              fmt::format("cannot write the report: {}", std::strerror(errno)));
}

}  // namespace

void add_outputs(CLI::App& command, Outputs& outputs) {
  command.add_option("--json", outputs.json, "Write the report as JSON to FILE, or - for stdout")
      ->option_text("FILE|-");
  command.add_flag("--verbose", outputs.verbose, "Show every attempt, operation and rule");
}

Result<void> write_reports(const report::Report& report, const Outputs& outputs, std::FILE* text) {
  if (!outputs.json.empty()) {
    const auto written = write_to(outputs.json, report::json_report(report));
    if (!written) return written;
  }
  fmt::print(text, "{}", report::text_report(report, text_options(text, outputs.verbose)));
  std::fflush(text);
  return {};
}

}  // namespace retrylab::cli
