// SPDX-License-Identifier: MIT
// A small chart over time as SVG, without scripts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace retrylab::report {

inline constexpr double kChartWidth = 480;
inline constexpr double kChartHeight = 144;

struct Chart {
  std::string_view title;
  std::string_view style;                 // CSS class of the line
  std::span<const std::uint32_t> values;  // per 100 ms; the end may be missing
  std::size_t bins = 1;                   // of the whole axis
  double scale = 1;                       // what a value stands for
  double most = 1;                        // top of the axis, of scaled values
  std::string_view attributes = "";       // of the svg element: where it stands in another
};

// Where there are more bins than columns, a column shows the most of its bins.
std::string chart_svg(const Chart& chart);

// A round number at or above `value`, for the top of an axis.
double axis_top(double value);

}  // namespace retrylab::report
