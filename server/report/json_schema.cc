// SPDX-License-Identifier: MIT
// report.schema.json, as the build embeds it.
#include "server/report/json.h"

namespace retrylab::report {
namespace {

struct Embedded {
  std::string_view name;
  std::string_view text;
};

constexpr Embedded kFiles[] = {
#include "report_schema.inc"
};

}  // namespace

std::string_view json_report_schema() {
  return kFiles[0].text;
}

}  // namespace retrylab::report
