// SPDX-License-Identifier: MIT
// A scorecard in the formats of the command line. Each is a pure function of it, in a file of its
// own name beside this one.
#pragma once

#include <string>
#include <string_view>

#include "server/audit/scorecard.h"
#include "server/report/text.h"

namespace retrylab::report {

// For a terminal: grades, what is broken with its evidence, the policy, the verdict last.
// `command` does the whole audit again.
std::string audit_text(const audit::Scorecard& card, const TextOptions& options,
                       std::string_view command);

// One HTML file that needs no network.
std::string audit_html(const audit::Scorecard& card);

// For a page or a pull request.
std::string audit_markdown(const audit::Scorecard& card);

// JUnit XML: a test case per scenario; one whose premise the client does not meet is skipped.
std::string audit_junit(const audit::Scorecard& card);

// For programs. Times are milliseconds (`_ms`). Ends with a line feed.
std::string audit_json(const audit::Scorecard& card);

}  // namespace retrylab::report
