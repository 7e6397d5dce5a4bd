// SPDX-License-Identifier: MIT
// The report for GitHub Actions: annotations, which a workflow prints on standard output, and the
// Markdown that goes into $GITHUB_STEP_SUMMARY.
#pragma once

#include <string>

#include "server/report/report.h"

namespace retrylab::report {

// One workflow command per broken rule (error), spoiled evidence and advice (warning); nothing
// for a run without findings.
std::string github_annotations(const Report& report);

// A section with the verdict, the findings as a table and the timeline folded away.
std::string github_summary(const Report& report);

}  // namespace retrylab::report
