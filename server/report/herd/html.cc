// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "server/report/herd/chart.h"
#include "server/report/herd/metrics.h"
#include "server/report/markup.h"
#include "server/report/report.h"
#include "server/report/story.h"

namespace retrylab::report {
namespace {

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark}"
    "body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;"
    "color:#222;background:#fff}h1,h3{overflow-wrap:anywhere}"
    ".wide{overflow-x:auto}table{border-collapse:collapse}"
    "th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}"
    "th{vertical-align:bottom;white-space:normal;overflow-wrap:anywhere;min-width:5rem}"
    "th:first-child,td:first-child{text-align:left;padding-left:0;position:sticky;left:0;"
    "background:#fff}td small,footer{color:#666}"
    ".row{display:flex;flex-wrap:wrap;gap:1rem}.policy{flex:1 1 24rem;min-width:min(20rem,100%)}"
    "svg{width:100%;display:block;margin:.4rem 0}svg text{font-size:10px;fill:#555}"
    "svg .title{font-weight:600;fill:#222}svg line{stroke:#999}"
    ".arrivals{fill:#3b6fb6}.retries{fill:#c8552d}.queue{fill:#8a6fb0}.goodput{fill:#3d8f5a}"
    "footer{margin-top:2rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body,th:first-child,td:first-child{color:#ddd;"
    "background:#181818}th,td{border-color:#444}td small,footer{color:#aaa}"
    "svg text{fill:#aaa}svg .title{fill:#ddd}.arrivals{fill:#6c9be0}.retries{fill:#e07a52}"
    ".queue{fill:#ab90d0}.goodput{fill:#5fb37c}}";

// One quantity over time; all policies share its axes.
struct Quantity {
  std::string_view title;
  std::string_view style;
  const std::vector<std::uint32_t>& (sim::Measures::*values)() const;
  double scale;
};

constexpr Quantity kQuantities[] = {
    {"arrivals per 100 ms", "arrivals", &sim::Measures::arrivals, 1},
    {"of them retries", "retries", &sim::Measures::retries, 1},
    {"attempts at the server", "queue", &sim::Measures::queue, 1},
    {"goodput per second", "goodput", &sim::Measures::successes, 10},
};

double top_of(const HerdPoint& point, const Quantity& quantity) {
  double most = 0;
  for (const HerdColumn& column : point.columns) {
    for (const std::uint32_t value : (column.first.*quantity.values)()) {
      most = std::max(most, quantity.scale * value);
    }
  }
  return axis_top(most);
}

std::size_t bins_of(const HerdPoint& point) {
  std::size_t bins = 1;
  for (const HerdColumn& column : point.columns) {
    bins = std::max({bins, column.first.arrivals().size(), column.first.successes().size()});
  }
  return bins;
}

std::string charts(const HerdPoint& point) {
  std::string text = "<div class=\"row\">\n";
  for (const HerdColumn& column : point.columns) {
    text += fmt::format("<div class=\"policy\"><h3>{}</h3>\n", escaped(column.policy));
    for (const Quantity& quantity : kQuantities) {
      text += chart_svg({.title = quantity.title,
                         .style = quantity.style,
                         .values = (column.first.*quantity.values)(),
                         .bins = bins_of(point),
                         .scale = quantity.scale,
                         .most = top_of(point, quantity)});
    }
    text += fmt::format("<details><summary>policy</summary><pre>{}</pre></details></div>\n",
                        escaped(column.policy_json));
  }
  return text + "</div>\n";
}

std::string cell(const HerdColumn& column, const Metric& metric) {
  const auto interval = median_of(column, metric);
  if (!interval) return "<td>-</td>";
  std::string text = "<td>" + written(interval->median, metric.unit);
  if (column.runs.size() > 1) {
    text += fmt::format(" <small>{} to {}</small>", written(interval->low, metric.unit),
                        written(interval->high, metric.unit));
  }
  return text + "</td>";
}

std::string table(const HerdReport& report, const HerdPoint& point) {
  std::string text = "<div class=\"wide\"><table><tr><th></th>";
  for (const HerdColumn& column : point.columns) {
    text += fmt::format("<th>{}</th>", escaped(column.policy));
  }
  text += "</tr>\n";
  for (const Metric& metric : herd_metrics()) {
    if (!has_metric(report, metric)) continue;
    text += fmt::format("<tr><td>{}</td>", metric.name);
    for (const HerdColumn& column : point.columns) text += cell(column, metric);
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string herd_html(const HerdReport& report) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0} - retrylab simulate</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<header><h1>{0}</h1><p>{2}</p><p>{3}, {4}</p></header>\n",
      escaped(report.scenario), kStyle, escaped(report.about), escaped(report.clients),
      escaped(report.network));
  for (const HerdPoint& point : report.points) {
    if (!point.value.empty()) {
      text += fmt::format("<h2>{} = {}</h2>\n", escaped(report.sweep), escaped(point.value));
    }
    text += table(report, point) + charts(point);
  }
  return text + fmt::format(
                    "<footer>retrylab {} · seed {} · {}; the charts show the first"
                    "<pre>{}</pre></footer>\n</body>\n</html>\n",
                    version(), report.seed, counted(report.seeds, "run"), escaped(report.command));
}

}  // namespace retrylab::report
