// SPDX-License-Identifier: MIT
// The attempts of an HTML report on a time axis, one row each, operation by operation. Behind a
// retry stands where it was asked to wait (Retry-After) and where the declared backoff puts it.
#pragma once

#include <string>

#include "server/report/report.h"

namespace retrylab::report {

std::string html_timeline(const Report& report);

// The fragment that an attempt's row has: "a-1-3".
std::string html_anchor(verify::AttemptRef ref);

}  // namespace retrylab::report
