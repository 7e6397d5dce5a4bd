// SPDX-License-Identifier: MIT
// The report for a terminal: a timeline, what came of it, the rules, the verdict in the last
// line. Broken rules come with their evidence, kept ones on one line.
#pragma once

#include <string>

#include "server/report/report.h"

namespace retrylab::report {

struct TextOptions {
  std::size_t width = 100;  // columns; below 72 the timeline takes two lines per attempt
  bool colour = false;
  bool verbose = false;  // every operation, attempt and rule
};

std::string text_report(const Report& report, const TextOptions& options);

}  // namespace retrylab::report
