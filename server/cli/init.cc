// SPDX-License-Identifier: MIT
#include "server/cli/init.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "server/cli/flags.h"
#include "server/cli/print.h"
#include "server/cli/scenario_source.h"

namespace retrylab::cli {
namespace {

// Small, but with the parts that most scenarios come to need.
constexpr std::string_view kTemplate = R"({{
  "name": "{}",
  "about": "The server is busy twice, then makes the payment. A retry must wait and keep its key.",
  "routes": [
    {{
      "on": "POST /v1/payments",
      "creates": "payment",
      "idempotency": {{ "header": "Idempotency-Key" }},
      "script": [
        503,
        {{ "status": 429, "retry_after": "1s" }},
        {{ "status": 201, "json": {{ "id": "{{{{resource.id}}}}" }} }}
      ]
    }}
  ],
  "expect": {{
    "attempts": 3,
    "created": {{ "payment": 1 }},
    "total_time": {{ "max": "30s" }}
  }}
}}
)";

struct InitFlags {
  std::string file;
  std::string from;
};

ExitCode init(const InitFlags& flags) {
  std::filesystem::path path(flags.file);
  if (path.extension() != ".json") path += ".json";
  const auto text = flags.from.empty()
                        ? Result<std::string>(fmt::format(kTemplate, path.stem().string()))
                        : catalogue_text(flags.from);
  if (!text) return give_up(text.error());
  if (std::filesystem::exists(path)) {
    return give_up({ErrorCode::machine, path, "is there already; it was left as it is"});
  }
  std::ofstream file(path, std::ios::binary);
  file << *text;
  file.close();
  if (!file) {
    return give_up(
        {ErrorCode::machine, path, fmt::format("cannot write: {}", std::strerror(errno))});
  }
  print("wrote {}; next: retrylab run {} -- YOUR-CLIENT {{url}}\n", path.string(), path.string());
  return ExitCode::pass;
}

}  // namespace

void add_init(CLI::App& app, ExitCode& code) {
  auto* command =
      add_subcommand(app, "init", "Write a scenario to begin with; never overwrites a file.",
                     "  retrylab init payments.json\n"
                     "  retrylab init mine.json --from two-503-then-success\n");
  auto flags = std::make_shared<InitFlags>();
  command->add_option("NAME", flags->file, "The file to write; .json is added where it is missing")
      ->required()
      ->type_name("");
  command->add_option("--from", flags->from, "Begin with this scenario of the catalogue")
      ->option_text("NAME");
  command->callback([flags, &code] { code = init(*flags); });
}

}  // namespace retrylab::cli
