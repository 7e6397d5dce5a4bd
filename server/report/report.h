// SPDX-License-Identifier: MIT
// What every report is made of. Each format is a pure function of it, in a file of its own
// name: text.h, json.h. No report reads a clock, a file or the terminal.
#pragma once

#include <span>
#include <string_view>

#include "server/journal/record.h"
#include "server/scenario/scenario.h"
#include "server/verify/verdict.h"

namespace retrylab::report {

// Views of the caller's values; `runs` is not empty and is what `verdict` judged.
struct Report {
  const scenario::Scenario& scenario;
  std::span<const journal::Run> runs;
  const verify::Verdict& verdict;
};

// "0.1.0"
std::string_view version();

}  // namespace retrylab::report
