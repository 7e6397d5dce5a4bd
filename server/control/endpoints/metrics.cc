// SPDX-License-Identifier: MIT
// /metrics: Prometheus' text format, made from the runs at the moment of asking.
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include "server/control/endpoints/endpoints.h"
#include "server/control/query.h"

namespace retrylab::control::endpoints {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

void add(MetricFamily& family, std::vector<ClientMetric::Label> labels, double value) {
  ClientMetric metric;
  metric.label = std::move(labels);
  metric.counter.value = value;
  metric.gauge.value = value;
  family.metric.push_back(std::move(metric));
}

struct OfRun {
  const char* name;
  const char* help;
  MetricType type;
  std::function<double(const RunInfo&)> value;
};

double number(std::uint64_t value) {
  return static_cast<double>(value);
}

MetricFamily of_runs(const OfRun& what, const std::vector<RunInfo>& runs) {
  MetricFamily family{what.name, what.help, what.type, {}};
  for (const RunInfo& run : runs) {
    add(family, {{"run", fmt::format("{}", run.id)}, {"scenario", run.scenario_name}},
        what.value(run));
  }
  return family;
}

MetricFamily of_process(const char* name, const char* help, MetricType type, double value) {
  MetricFamily family{name, help, type, {}};
  add(family, {}, value);
  return family;
}

std::vector<MetricFamily> families(Context& context) {
  const auto runs = context.runs.list();
  const auto timers = [&](const RunInfo& run) {
    return number(context.runs.timers(run.id).value_or(0));
  };
  const auto counter = MetricType::Counter;
  const auto gauge = MetricType::Gauge;
  const std::vector<OfRun> of_run{
      {"retrylab_attempts_total", "Attempts that have begun", counter,
       [](const RunInfo& run) { return number(run.attempts); }},
      {"retrylab_faults_total", "Faults that took place", counter,
       [](const RunInfo& run) { return number(run.faults); }},
      {"retrylab_connections_total", "Connections that were opened", counter,
       [](const RunInfo& run) { return number(run.connections); }},
      {"retrylab_open_connections", "Connections that are open", gauge,
       [](const RunInfo& run) { return number(run.open_connections); }},
      {"retrylab_timers", "Connections that wait for an instant", gauge, timers},
      {"retrylab_lag_seconds_max", "How late this host has let the run's loop wake at worst", gauge,
       [](const RunInfo& run) { return std::chrono::duration<double>(run.worst_lag).count(); }},
      {"retrylab_dropped_entries_total", "Entries that a full journal left out", counter,
       [](const RunInfo& run) { return number(run.dropped); }},
      {"retrylab_resources", "Resources that were created", gauge,
       [](const RunInfo& run) { return number(run.resources); }},
  };
  std::vector<MetricFamily> all;
  for (const OfRun& what : of_run) all.push_back(of_runs(what, runs));
  all.push_back(of_process("retrylab_runs", "Runs that are alive", gauge, number(runs.size())));
  all.push_back(of_process("retrylab_followers", "Admin clients that follow or wait", gauge,
                           context.followers.taken()));
  all.push_back(of_process("retrylab_followers_dropped_total",
                           "Admin clients that were too slow and cut off", counter,
                           number(context.followers.dropped())));
  return all;
}

}  // namespace

Expected<Answer> metrics(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, families(call.context));
  return Answer{.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = text.str()};
}

}  // namespace retrylab::control::endpoints
