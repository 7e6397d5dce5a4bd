// SPDX-License-Identifier: MIT
#include "server/report/herd/chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace retrylab::report {
namespace {

constexpr double kWidth = kChartWidth;
constexpr double kTop = 18;
constexpr double kBottom = 16;
constexpr double kHeight = kChartHeight - kTop - kBottom;
constexpr double kLeft = 46;
constexpr std::size_t kColumns = 430;

double most_between(const Chart& chart, std::size_t from, std::size_t until) {
  double most = 0;
  for (std::size_t i = from; i < std::min(until, chart.values.size()); ++i) {
    most = std::max(most, chart.scale * chart.values[i]);
  }
  return most;
}

std::string steps(const Chart& chart) {
  const std::size_t columns = std::min(kColumns, chart.bins);
  const double width = kWidth - kLeft - 4;
  std::string path = fmt::format("M{:.1f} {:.1f}", kLeft, kTop + kHeight);
  for (std::size_t i = 0; i < columns; ++i) {
    const double value =
        most_between(chart, i * chart.bins / columns, (i + 1) * chart.bins / columns);
    const double y = kTop + kHeight * (1 - value / chart.most);
    path += fmt::format("V{:.1f}H{:.1f}", y,
                        kLeft + width * static_cast<double>(i + 1) / static_cast<double>(columns));
  }
  return path + fmt::format("V{:.1f}Z", kTop + kHeight);
}

}  // namespace

double axis_top(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= value) return step * power;
  }
  return 10 * power;
}

std::string chart_svg(const Chart& chart) {
  const double seconds = static_cast<double>(chart.bins) / 10;
  return fmt::format(
      "<svg {13}viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">"
      "<text class=\"title\" x=\"{3}\" y=\"12\">{2}</text>"
      "<text x=\"{4}\" y=\"{5}\" text-anchor=\"end\">{6:.10g}</text>"
      "<text x=\"{4}\" y=\"{7}\" text-anchor=\"end\">0</text>"
      "<line x1=\"{3}\" y1=\"{7}\" x2=\"{8}\" y2=\"{7}\"/>"
      "<path class=\"{9}\" d=\"{10}\"/>"
      "<text x=\"{3}\" y=\"{11}\">0 s</text>"
      "<text x=\"{8}\" y=\"{11}\" text-anchor=\"end\">{12:.1f} s</text></svg>\n",
      kWidth, kChartHeight, chart.title, kLeft, kLeft - 4, kTop + 8, chart.most, kTop + kHeight,
      kWidth - 4, chart.style, steps(chart), kTop + kHeight + 13, seconds, chart.attributes);
}

}  // namespace retrylab::report
