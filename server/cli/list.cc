// SPDX-License-Identifier: MIT
#include "server/cli/list.h"

#include <algorithm>
#include <cstdio>

#include "scenarios/catalogue.h"
#include "server/cli/flags.h"
#include "server/cli/print.h"
#include "server/cli/terminal.h"
#include "server/report/text_page.h"
#include "server/scenario/load.h"

namespace retrylab::cli {
namespace {

// The first sentence; scenarios of the catalogue need no other file.
std::string about(const scenario::CatalogueEntry& entry) {
  const auto no_file = [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "the catalogue has no files beside it");
  };
  const auto loaded = scenario::load(entry.text, no_file);
  if (!loaded) return "";
  return loaded->about.substr(0, std::min(loaded->about.find(". "), loaded->about.size() - 1));
}

// Names in a column and what they are about beside them; below one another where that is narrow.
void list() {
  report::TextPage page(text_options(stdout, false));
  std::size_t longest = 0;
  for (const auto& entry : scenario::catalogue()) longest = std::max(longest, entry.name.size());
  const bool beside = page.options().width >= longest + 32;
  for (const auto& entry : scenario::catalogue()) {
    if (beside) {
      page.labelled({entry.name, report::Paint::bold}, about(entry), {.width = longest + 2});
    } else {
      page.line(page.paint(entry.name, report::Paint::bold));
      page.labelled({}, about(entry), {.indent = 2});
    }
  }
  print("{}", page.text());
}

}  // namespace

void add_list(CLI::App& app, ExitCode& code) {
  auto* command = add_subcommand(app, "list", "List the scenarios of the catalogue.",
                                 "  retrylab list | grep retry-after\n");
  command->callback([&code] {
    list();
    code = ExitCode::pass;
  });
}

}  // namespace retrylab::cli
