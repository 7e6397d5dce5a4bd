// SPDX-License-Identifier: MIT
#include "server/report/herd/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"

namespace retrylab::report {
namespace {

using sim::Summary;
using Value = std::optional<double>;

double milliseconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e6;
}

double number(std::uint64_t count) {
  return static_cast<double>(count);
}

Value share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return number(part) / number(whole);
}

Value goodput(const Summary& run) {
  if (run.end == Duration(0)) return std::nullopt;
  return number(run.successes) / (milliseconds(run.end) / 1000);
}

Value completion(const Summary& run, Duration quantile) {
  if (run.successes == 0) return std::nullopt;
  return milliseconds(quantile);
}

// Attempts that one layer made; nothing when the clients call the server themselves.
template <std::size_t Layer>
Value by_layer(const Summary& run) {
  if (run.by_layer[1] == 0 || run.by_layer[Layer] == 0) return std::nullopt;
  return number(run.by_layer[Layer]);
}

constexpr std::array<Metric, 15 + sim::kLayersMax> kMetrics{{
    {"operations", "operations", Unit::count, false,
     [](const Summary& run) -> Value { return number(run.operations); }},
    {"attempts", "attempts", Unit::count, false,
     [](const Summary& run) -> Value { return number(run.attempts); }},
    {"amplification", "amplification", Unit::ratio, true,
     [](const Summary& run) { return share(run.attempts, run.operations); }},
    {"success", "success", Unit::share, true,
     [](const Summary& run) { return share(run.successes, run.operations); }},
    {"goodput", "goodput_per_second", Unit::per_second, true, goodput},
    {"wasted work", "wasted_work", Unit::share, false,
     [](const Summary& run) { return share(run.wasted(), run.served); }},
    {"completion p50", "completion_p50_ms", Unit::milliseconds, false,
     [](const Summary& run) { return completion(run, run.completion_p50); }},
    {"completion p99", "completion_p99_ms", Unit::milliseconds, true,
     [](const Summary& run) { return completion(run, run.completion_p99); }},
    {"peak arrivals per 100 ms", "peak_arrivals_per_100ms", Unit::count, false,
     [](const Summary& run) -> Value { return number(run.peak_arrivals); }},
    {"peak retries per 100 ms", "peak_retries_per_100ms", Unit::count, true,
     [](const Summary& run) -> Value { return number(run.peak_retries); }},
    {"drained after recovery", "drain_ms", Unit::milliseconds, true,
     [](const Summary& run) -> Value {
       return run.drain ? Value(milliseconds(*run.drain)) : std::nullopt;
     }},
    {"longest silence", "longest_silence_ms", Unit::milliseconds, false,
     [](const Summary& run) -> Value { return milliseconds(run.longest_silence); }},
    {"all over after", "end_ms", Unit::milliseconds, false,
     [](const Summary& run) -> Value { return milliseconds(run.end); }},
    {"unfinished", "unfinished", Unit::count, false,
     [](const Summary& run) -> Value { return number(run.unfinished); }},
    {"events", "events", Unit::count, false,
     [](const Summary& run) -> Value { return number(run.events); }},
    {"attempts of the clients", "attempts_layer_1", Unit::count, false, by_layer<0>, true},
    {"attempts of layer 2", "attempts_layer_2", Unit::count, true, by_layer<1>, true},
    {"attempts of layer 3", "attempts_layer_3", Unit::count, true, by_layer<2>, true},
    {"attempts of layer 4", "attempts_layer_4", Unit::count, true, by_layer<3>, true},
    {"attempts of layer 5", "attempts_layer_5", Unit::count, true, by_layer<4>, true},
}};

}  // namespace

std::span<const Metric> herd_metrics() {
  return kMetrics;
}

bool has_metric(const HerdReport& report, const Metric& metric) {
  if (!metric.by_layer) return true;
  return std::ranges::any_of(report.points, [&](const HerdPoint& point) {
    return std::ranges::any_of(point.columns, [&](const HerdColumn& column) {
      return std::ranges::any_of(column.runs,
                                 [&](const Summary& run) { return metric.of(run).has_value(); });
    });
  });
}

std::string written(double value, Unit unit) {
  switch (unit) {
    case Unit::count:
      return fmt::format("{:.0f}", value);
    case Unit::ratio:
      return fmt::format("{:.3f}", value);
    case Unit::share:
      return fmt::format("{:.1f} %", 100 * value);
    case Unit::per_second:
      return fmt::format("{:.1f}/s", value);
    case Unit::milliseconds:
      return format_measured(Duration(static_cast<std::int64_t>(std::llround(value * 1e6))));
  }
  return "";
}

// Ranks n/2 -+ 0.98 sqrt(n): the binomial distribution of how many values lie below the median.
std::optional<Interval> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const auto at = [&](double rank) {
    const double index = std::clamp(rank - 1, 0.0, n - 1);
    return values[static_cast<std::size_t>(index)];
  };
  const double half = 0.98 * std::sqrt(n);
  const double middle = (at(std::floor((n + 1) / 2)) + at(std::ceil((n + 1) / 2))) / 2;
  return Interval{middle, at(std::floor(n / 2 - half)), at(std::ceil(n / 2 + half) + 1)};
}

std::optional<Interval> median_of(const HerdColumn& column, const Metric& metric) {
  std::vector<double> values;
  for (const Summary& run : column.runs) {
    if (const auto value = metric.of(run)) values.push_back(*value);
  }
  return median_of(std::move(values));
}

}  // namespace retrylab::report
