// SPDX-License-Identifier: MIT
// The numbers of a herd's report: their names, how each follows from a run, how it is written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/report/herd/herd_report.h"

namespace retrylab::report {

enum class Unit { count, ratio, share, per_second, milliseconds };

struct Metric {
  std::string_view name;  // for people
  std::string_view word;  // in JSON and CSV
  Unit unit;
  bool in_sweeps;                                    // a sweep's text shows it
  std::optional<double> (*of)(const sim::Summary&);  // nothing: it has no meaning there
  bool by_layer = false;
};

// All of them, those first that every report has.
std::span<const Metric> herd_metrics();
// Some run has it. Attempts by layer are left out where there is one layer alone.
bool has_metric(const HerdReport& report, const Metric& metric);

// "3.12", "98.2 %", "1.25s".
std::string written(double value, Unit unit);

struct Interval {
  double median = 0;
  double low = 0;
  double high = 0;
};

// The median, and the order statistics that cover the true one with 95 %, whatever the
// distribution; least and greatest below six values. Nothing without values.
std::optional<Interval> median_of(std::vector<double> values);
std::optional<Interval> median_of(const HerdColumn& column, const Metric& metric);

}  // namespace retrylab::report
