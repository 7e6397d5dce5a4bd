// SPDX-License-Identifier: MIT
// The report for CI systems that read JUnit XML. One test case per rule that had something to
// judge: a broken rule is a failure, spoiled evidence is skipped with its reason. Each was judged
// on the whole, and has its seconds. The text report is in <system-out>.
#pragma once

#include <string>
#include <string_view>

#include "server/report/report.h"

namespace retrylab::report {

std::string junit_report(const Report& report);

// For a scenario that could not be judged at all: one test case with an error.
std::string junit_error(std::string_view scenario, std::string_view problem);

}  // namespace retrylab::report
