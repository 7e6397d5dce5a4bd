// SPDX-License-Identifier: MIT
// The gaps of an HTML report against the declared backoff: one column per retry, one dot per gap.
#pragma once

#include <string>

#include "server/report/report.h"

namespace retrylab::report {

// "" where there was no retry.
std::string html_gaps(const Report& report);

}  // namespace retrylab::report
