// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "server/report/herd/metrics.h"
#include "server/report/report.h"

namespace retrylab::report {
namespace {

using Json = nlohmann::ordered_json;

Json metric_json(const HerdColumn& column, const Metric& metric) {
  const auto interval = median_of(column, metric);
  if (!interval) return nullptr;
  Json json{{"median", interval->median}, {"low", interval->low}, {"high", interval->high}};
  if (column.runs.size() == 1) return json;
  Json& runs = json["runs"] = Json::array();
  for (const sim::Summary& run : column.runs) {
    const auto value = metric.of(run);
    runs.push_back(value ? Json(*value) : Json(nullptr));
  }
  return json;
}

Json column_json(const HerdReport& report, const HerdColumn& column) {
  Json json{{"name", column.policy}, {"policy", Json::parse(column.policy_json)}};
  json["stopped_at_limit"] = column.stopped.empty() ? Json(nullptr) : Json(column.stopped);
  for (const Metric& metric : herd_metrics()) {
    if (!has_metric(report, metric)) continue;
    json["metrics"][std::string(metric.word)] = metric_json(column, metric);
  }
  json["per_100ms"] = {{"arrivals", column.first.arrivals()},
                       {"retries", column.first.retries()},
                       {"successes", column.first.successes()},
                       {"queue", column.first.queue()}};
  return json;
}

}  // namespace

std::string herd_json(const HerdReport& report) {
  Json json{{"retrylab", version()},     {"scenario", report.scenario},
            {"clients", report.clients}, {"network", report.network},
            {"seed", report.seed},       {"seeds", report.seeds},
            {"command", report.command}, {"sweep", nullptr},
            {"points", Json::array()}};
  if (!report.sweep.empty()) json["sweep"] = report.sweep;
  for (const HerdPoint& point : report.points) {
    Json one{{"value", nullptr}, {"policies", Json::array()}};
    if (!point.value.empty()) one["value"] = point.value;
    for (const HerdColumn& column : point.columns) {
      one["policies"].push_back(column_json(report, column));
    }
    json["points"].push_back(std::move(one));
  }
  return json.dump(1) + "\n";
}

}  // namespace retrylab::report
