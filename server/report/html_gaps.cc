// SPDX-License-Identifier: MIT
#include "server/report/html_gaps.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/report/html_ticks.h"
#include "server/report/html_timeline.h"
#include "server/report/story.h"
#include "server/verify/settings.h"

namespace retrylab::report {
namespace {

constexpr std::size_t kRetriesShown = 12;

struct Dot {
  verify::AttemptRef attempt;
  Duration gap{0};
  bool asked = false;  // the server had sent Retry-After: not the client's own wait
};
using Columns = std::vector<std::vector<Dot>>;

Columns find_columns(const Report& report) {
  const Lookup lookup(report.runs);
  Columns columns;
  for (const auto& operation : report.verdict.operations) {
    for (std::size_t i = 1; i < std::min(operation.attempts.size(), kRetriesShown + 1); ++i) {
      const auto* before = lookup.attempt(operation.attempts[i - 1]);
      const auto* after = lookup.attempt(operation.attempts[i]);
      if (before == nullptr || after == nullptr) continue;
      const auto between = gap(*before, *after);
      if (!between || *between < Duration(0)) continue;
      if (columns.size() < i) columns.resize(i);
      columns[i - 1].push_back(
          {operation.attempts[i], *between, !before->planned.retry_after.empty()});
    }
  }
  return columns;
}

std::optional<verify::WaitBand> band(const Report& report, std::size_t retry) {
  return verify::wait_band(verify::settle(report.scenario), static_cast<std::uint32_t>(retry),
                           std::nullopt);
}

// What the vertical axis has to reach.
Duration highest(const Report& report, const Columns& columns) {
  Duration high = std::chrono::milliseconds(1);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const auto& dot : columns[i]) high = std::max(high, dot.gap);
    if (const auto allowed = band(report, i + 1)) high = std::max(high, allowed->most);
  }
  const Duration step = round_step(high);
  Duration top = step * ((high + high / 50) / step + 1);
  while (top % round_step(top) != Duration(0)) top += step;  // the axis ends with a tick
  return top;
}

double percent(Duration part, Duration whole) {
  return 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::string column(const std::vector<Dot>& dots, std::optional<verify::WaitBand> allowed,
                   Duration high) {
  std::string text = "<div class=\"column\">";
  if (allowed) {
    text += fmt::format(
        "<i class=\"allowed\" style=\"bottom:{:.2f}%;height:{:.2f}%\" title=\"{} to {}\"></i>",
        percent(allowed->least, high), percent(allowed->most - allowed->least, high),
        format_measured(allowed->least), format_measured(allowed->most));
  }
  for (std::size_t i = 0; i < dots.size(); ++i) {
    // Spread over the column, so that equal gaps do not hide one another.
    const double left = 100.0 * static_cast<double>(i + 1) / static_cast<double>(dots.size() + 1);
    text += fmt::format(
        "<a class=\"dot{}\" href=\"#{}\" style=\"left:{:.1f}%;bottom:{:.2f}%\" title=\"{}\"></a>",
        dots[i].asked ? " asked" : "", html_anchor(dots[i].attempt), left,
        percent(dots[i].gap, high), format_measured(dots[i].gap));
  }
  return text + "</div>";
}

}  // namespace

std::string html_gaps(const Report& report) {
  const auto columns = find_columns(report);
  if (columns.empty()) return "";
  const Duration high = highest(report, columns);
  std::string text =
      "<section class=\"gaps\"><h2>Gaps before each retry</h2>\n<p>A dot is a gap; a hollow one "
      "followed a Retry-After. The shade is the declared backoff.</p>\n<div class=\"plot\">"
      "<div class=\"scale\">";
  const auto ticks = round_ticks(Duration(0), high);
  for (auto tick = ticks.rbegin(); tick != ticks.rend(); ++tick) {
    text += fmt::format("<span>{}</span>", format_measured(*tick));
  }
  text += "</div>";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += column(columns[i], band(report, i + 1), high);
  }
  text += "</div>\n<div class=\"names\"><span></span>";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += fmt::format("<span>retry {}</span>", i + 1);
  }
  return text + "</div></section>\n";
}

}  // namespace retrylab::report
