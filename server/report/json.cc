// SPDX-License-Identifier: MIT
#include "server/report/json.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "server/report/story.h"

namespace retrylab::report {
namespace {

using Json = nlohmann::ordered_json;

double milliseconds(Duration duration) {
  const auto micros = (duration.count() + (duration.count() < 0 ? -500 : 500)) / 1'000;
  return static_cast<double>(micros) / 1e3;
}

Json at(const journal::Run& run, const std::optional<Instant>& instant) {
  return instant ? Json(milliseconds(since_zero(run, *instant))) : Json(nullptr);
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json client_json(const journal::Run& run, const journal::ClientEnd& client) {
  return {
      {"exit", or_null(client.exit_code)},        {"signal", or_null(client.signal)},
      {"outcome", journal::word(client.outcome)}, {"declared", client.declared},
      {"status", or_null(client.status)},         {"body_sha256", text_or_null(client.body_sha256)},
      {"reason", text_or_null(client.reason)},    {"ended_ms", at(run, client.ended)},
  };
}

Json run_json(const journal::Run& run) {
  Json json{
      {"run", run.number},
      {"seed", run.seed},
  };
  json["client"] = run.clients.size() == 1 ? client_json(run, run.clients.front()) : Json(nullptr);
  if (run.clients.size() > 1) {
    json["clients"] = Json::array();
    for (const auto& client : run.clients) json["clients"].push_back(client_json(run, client));
  }
  json["connections"] = run.connections.size();
  json["attempts"] = run.attempts.size();
  json["dropped_attempts"] = run.dropped_attempts;
  json["steps_unused"] = run.steps_unused;
  return json;
}

Json references(const std::vector<verify::AttemptRef>& refs) {
  Json json = Json::array();
  for (const auto& ref : refs) json.push_back({{"run", ref.run}, {"attempt", ref.attempt}});
  return json;
}

Json rule_json(const verify::RuleResult& rule) {
  return {
      {"id", rule.id},
      {"status", verify::word(rule.status)},
      {"statement", rule.statement},
      {"source", text_or_null(rule.source)},
      {"expected", rule.expected},
      {"observed", rule.observed},
      {"missed_by_ms", rule.missed_by ? Json(milliseconds(*rule.missed_by)) : Json(nullptr)},
      {"attempts", references(rule.attempts)},
      {"advice", text_or_null(rule.advice)},
  };
}

Json operation_json(const verify::Operation& operation) {
  Json attempts = Json::array();
  for (const auto& ref : operation.attempts) attempts.push_back(ref.attempt);
  return {
      {"run", operation.run},
      {"operation", operation.number},
      {"name", text_or_null(operation.name)},
      {"attempts", std::move(attempts)},
  };
}

Json planned_json(const journal::Planned& planned) {
  return {
      {"source", journal::word(planned.source)}, {"route", text_or_null(planned.route)},
      {"step", text_or_null(planned.step)},      {"status", planned.status},
      {"retry_after", planned.retry_after},      {"location", text_or_null(planned.location)},
      {"delay_ms", milliseconds(planned.delay)}, {"faults", planned.faults},
  };
}

Json delivered_json(const journal::Run& run, const journal::Delivered& delivered) {
  return {
      {"ending", journal::word(delivered.ending)},
      {"r_min_ms", at(run, delivered.r_min)},
      {"r_max_ms", at(run, delivered.r_max)},
      {"bytes", delivered.bytes},
      {"faults_delivered", delivered.faults_delivered},
      {"peer_left_ms", at(run, delivered.peer_left)},
      {"peer_reset", delivered.peer_reset},
  };
}

Json headers_json(const Headers& headers) {
  Json json = Json::array();
  for (const auto& header : headers) json.push_back(Json::array({header.name, header.value}));
  return json;
}

// Where an attempt stands among the operations, by run and id.
struct Place {
  std::uint32_t operation = 0;
  std::optional<journal::AttemptId> before;
};
using Places = std::map<std::pair<std::uint32_t, journal::AttemptId>, Place>;

Places find_places(const verify::Verdict& verdict) {
  Places places;
  for (const auto& operation : verdict.operations) {
    std::optional<journal::AttemptId> before;
    for (const auto& ref : operation.attempts) {
      places[{ref.run, ref.attempt}] = {operation.number, before};
      before = ref.attempt;
    }
  }
  return places;
}

Json gap_json(const Lookup& lookup, const journal::Attempt& attempt, const Place& place) {
  if (!place.before) return nullptr;
  const auto* before = lookup.attempt({attempt.run, *place.before});
  const auto between = before == nullptr ? std::nullopt : gap(*before, attempt);
  return between ? Json(milliseconds(*between)) : Json(nullptr);
}

Json attempt_json(const journal::Run& run, const journal::Attempt& attempt) {
  return {
      {"run", run.number},
      {"attempt", attempt.id},
      {"connection", attempt.connection},
      {"number_on_connection", attempt.number_on_connection},
      {"client", attempt.client},
      {"first_byte_ms", at(run, attempt.first_byte)},
      {"first_byte_from_kernel", attempt.first_byte_from_kernel},
      {"head_read_ms", at(run, attempt.head_read)},
      {"body_read_ms", at(run, attempt.body_read)},
      {"method", attempt.method},
      {"target", attempt.target},
      {"headers", headers_json(attempt.headers())},
      {"body_bytes", attempt.body_bytes},
      {"body_sha256", attempt.body_sha256 ? Json(to_hex(*attempt.body_sha256)) : Json(nullptr)},
      {"key", text_or_null(attempt.key)},
      {"executed", attempt.executed},
      {"replayed", attempt.replayed},
      {"resource", text_or_null(attempt.resource)},
      {"planned", planned_json(attempt.planned)},
      {"delivered", delivered_json(run, attempt.delivered)},
  };
}

void add_attempts(const Report& report, Json& json) {
  const Places places = find_places(report.verdict);
  const Lookup lookup(report.runs);
  Json attempts = Json::array();
  Json unmatched = Json::array();
  for (const auto& run : report.runs) {
    for (const auto& attempt : run.attempts) {
      Json entry = attempt_json(run, attempt);
      const auto place = places.find({run.number, attempt.id});
      const bool grouped = place != places.end();
      entry["operation"] = grouped ? Json(place->second.operation) : Json(nullptr);
      entry["gap_ms"] = grouped ? gap_json(lookup, attempt, place->second) : Json(nullptr);
      attempts.push_back(std::move(entry));
      if (attempt.planned.source != journal::Source::unmatched) continue;
      unmatched.push_back({{"run", run.number},
                           {"attempt", attempt.id},
                           {"method", attempt.method},
                           {"target", attempt.target},
                           {"near_misses", attempt.planned.near_misses}});
    }
  }
  json["attempts"] = std::move(attempts);
  json["unmatched"] = std::move(unmatched);
}

Json resources_json(const Report& report) {
  Json json = Json::array();
  for (const auto& run : report.runs) {
    for (const auto& resource : run.resources) {
      json.push_back({{"run", run.number},
                      {"kind", resource.kind},
                      {"id", resource.id},
                      {"attempt", resource.attempt},
                      {"key", text_or_null(resource.key)},
                      {"at_ms", at(run, resource.at)}});
    }
  }
  return json;
}

// Members that come before the attempts.
Json json_head(const Report& report) {
  const auto& verdict = report.verdict;
  const auto& first = report.runs.front();
  Json json{
      {"retrylab", version()},
      {"format", 1},
      {"verdict", verify::word(verdict.status)},
      {"scenario",
       {{"name", report.scenario.name},
        {"about", report.scenario.about},
        {"hash", first.scenario_hash}}},
      {"seed", first.seed},
      {"command", text_or_null(first.command)},
      {"host", {{"lag_ms_max", milliseconds(verdict.worst_lag)}}},
      {"profile", verdict.profile},
      {"grouping", verify::word(verdict.grouping)},
      {"notes", verdict.notes},
  };
  json["runs"] = Json::array();
  for (const auto& run : report.runs) json["runs"].push_back(run_json(run));
  json["rules"] = Json::array();
  for (const auto& rule : verdict.rules) json["rules"].push_back(rule_json(rule));
  json["operations"] = Json::array();
  for (const auto& operation : verdict.operations) {
    json["operations"].push_back(operation_json(operation));
  }
  json["attempts"] = Json::array();
  json["unmatched"] = Json::array();
  return json;
}

std::string finished(Json json, const Report& report) {
  json["resources"] = resources_json(report);
  // What clients sent need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string json_report(const Report& report) {
  Json json = json_head(report);
  add_attempts(report, json);
  return finished(std::move(json), report);
}

std::string json_summary(const Report& report) {
  return finished(json_head(report), report);
}

}  // namespace retrylab::report
