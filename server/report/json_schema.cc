// SPDX-License-Identifier: MIT
// report.schema.json, as the build embeds it.
#include "server/report/json.h"

namespace retrylab::report {

std::string_view json_report_schema() {
  static constexpr std::string_view kText =
#include "report_schema.inc"
      ;
  return kText;
}

}  // namespace retrylab::report
