// SPDX-License-Identifier: MIT
// The report for programs: one JSON document, described by report.schema.json. The same scenario
// and journal give the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "server/report/report.h"

namespace retrylab::report {

// Times are milliseconds (`_ms`) since the run's time zero, to the microsecond. Ends with a line
// feed.
std::string json_report(const Report& report);

// The same, but `attempts` and `unmatched` are empty: for those who know the journal and ask for
// the verdict again and again.
std::string json_summary(const Report& report);

// The JSON Schema (draft-07) of json_report's document.
std::string_view json_report_schema();

}  // namespace retrylab::report
