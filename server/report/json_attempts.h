// SPDX-License-Identifier: MIT
// The attempts of a report, as members of its JSON document.
#pragma once

#include "server/report/json_text.h"
#include "server/report/report.h"

namespace retrylab::report {

void write_attempts(const Report& report, JsonText& json);
// Those that no route was for, with the reasons.
void write_unmatched(const Report& report, JsonText& json);

}  // namespace retrylab::report
