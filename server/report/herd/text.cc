// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "server/report/herd/metrics.h"
#include "server/report/layout.h"

namespace retrylab::report {
namespace {

using Row = std::vector<std::string>;

// The first column to the left, the others to the right.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string cell(const HerdColumn& column, const Metric& metric) {
  const auto interval = median_of(column, metric);
  if (!interval) return "-";
  const std::string middle = written(interval->median, metric.unit);
  if (column.runs.size() == 1) return middle;
  return fmt::format("{} [{}, {}]", middle, written(interval->low, metric.unit),
                     written(interval->high, metric.unit));
}

// Policies that were written out are longer than any column: the table has letters for them.
bool has_letters(const HerdPoint& point) {
  constexpr std::size_t kLongest = 30;
  return std::ranges::any_of(
      point.columns, [](const HerdColumn& column) { return column.policy.size() > kLongest; });
}

std::string letter(std::size_t column) {
  std::string text(1, static_cast<char>('A' + column % 26));
  return column < 26 ? text : text + std::to_string(column / 26);
}

std::string legend(const HerdPoint& point) {
  std::string text;
  if (!has_letters(point)) return text;
  for (std::size_t i = 0; i < point.columns.size(); ++i) {
    text += fmt::format("\n  {}  {}", letter(i), point.columns[i].policy);
  }
  return text + "\n";
}

Row policies(std::string corner, const HerdPoint& point) {
  Row row{std::move(corner)};
  for (std::size_t i = 0; i < point.columns.size(); ++i) {
    row.push_back(has_letters(point) ? letter(i) : point.columns[i].policy);
  }
  return row;
}

std::string table(const HerdPoint& point) {
  std::vector<Row> rows{policies("", point)};
  for (const Metric& metric : herd_metrics()) {
    Row row{std::string(metric.name)};
    for (const HerdColumn& column : point.columns) row.push_back(cell(column, metric));
    if (!std::ranges::all_of(row.begin() + 1, row.end(), [](auto& text) { return text == "-"; })) {
      rows.push_back(std::move(row));
    }
  }
  return aligned(rows);
}

std::string sweep_tables(const HerdReport& report) {
  std::string text;
  for (const Metric& metric : herd_metrics()) {
    if (!metric.in_sweeps || !has_metric(report, metric)) continue;
    std::vector<Row> rows{policies(report.sweep, report.points.front())};
    for (const HerdPoint& point : report.points) {
      Row row{point.value};
      for (const HerdColumn& column : point.columns) row.push_back(cell(column, metric));
      rows.push_back(std::move(row));
    }
    text += fmt::format("\n{}\n{}", metric.name, aligned(rows));
  }
  return text;
}

std::string stops(const HerdReport& report) {
  std::string text;
  for (const HerdPoint& point : report.points) {
    for (const HerdColumn& column : point.columns) {
      if (column.stopped.empty()) continue;
      const auto unfinished = std::ranges::max(column.runs, {}, &sim::Summary::unfinished);
      text += fmt::format("{}{}: stopped at the limit of {} with {} operations unfinished\n",
                          point.value.empty() ? "" : report.sweep + " " + point.value + ", ",
                          column.policy, column.stopped, unfinished.unfinished);
    }
  }
  return text;
}

}  // namespace

std::string herd_text(const HerdReport& report) {
  std::string text = fmt::format("{}: {}, {}\n", report.scenario, report.clients, report.network);
  constexpr std::size_t kWidth = 98;
  for (const std::string& line : wrapped(report.about, kWidth)) text += "  " + line + "\n";
  text += legend(report.points.front());
  text += report.sweep.empty() ? "\n" + table(report.points.front()) : sweep_tables(report);
  const std::string stopped = stops(report);
  if (!stopped.empty()) text += "\n" + stopped;
  text += report.seeds == 1
              ? fmt::format("\nseed {}\n", report.seed)
              : fmt::format("\n{} seeds from {}: median [95 % interval of the median]\n",
                            report.seeds, report.seed);
  return text + report.command + "\n";
}

}  // namespace retrylab::report
