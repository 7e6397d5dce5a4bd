// SPDX-License-Identifier: MIT
// The timeline of a text report: one row per attempt, operation by operation.
#pragma once

#include "server/report/text_page.h"

namespace retrylab::report {

// Shows every operation of a small run; of a large one those that a broken rule points at.
void write_timeline(const Report& report, TextPage& page);

}  // namespace retrylab::report
