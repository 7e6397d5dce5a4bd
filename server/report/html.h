// SPDX-License-Identifier: MIT
// The report as one HTML file that needs no network: attempts on a time axis with the windows
// they were allowed in, gaps against the declared backoff, rules linked to their evidence.
#pragma once

#include <string>
#include <string_view>

#include "server/report/report.h"

namespace retrylab::report {

std::string html_report(const Report& report);

// The style sheet of the HTML reports.
std::string_view html_style();

}  // namespace retrylab::report
