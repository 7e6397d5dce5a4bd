// SPDX-License-Identifier: MIT
#include <string_view>

#include <fmt/format.h>

#include "server/report/herd/metrics.h"

namespace retrylab::report {
namespace {

// RFC 4180: quoted where it has to be.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + "\"";
}

}  // namespace

std::string herd_csv(const HerdReport& report) {
  std::string text = fmt::format("{},policy,run", report.sweep.empty() ? "point" : report.sweep);
  for (const Metric& metric : herd_metrics()) {
    if (has_metric(report, metric)) text += fmt::format(",{}", metric.word);
  }
  text += "\n";
  for (const HerdPoint& point : report.points) {
    for (const HerdColumn& column : point.columns) {
      for (std::size_t run = 0; run < column.runs.size(); ++run) {
        text += fmt::format("{},{},{}", field(point.value), field(column.policy), run + 1);
        for (const Metric& metric : herd_metrics()) {
          if (!has_metric(report, metric)) continue;
          const auto value = metric.of(column.runs[run]);
          text += value ? fmt::format(",{:.10g}", *value) : ",";
        }
        text += "\n";
      }
    }
  }
  return text;
}

}  // namespace retrylab::report
