// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "server/report/audit/audit_report.h"
#include "server/report/report.h"

namespace retrylab::report {
namespace {

using Json = nlohmann::ordered_json;

double milliseconds(Duration duration) {
  return static_cast<double>(duration.count() / 1'000) / 1e3;
}

Json or_null(const std::optional<Duration>& time) {
  return time ? Json(milliseconds(*time)) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json topic_json(const audit::TopicLine& line) {
  return {{"topic", audit::word(line.topic)},
          {"grade", audit::word(line.grade)},
          {"kept", line.kept},
          {"broken", line.broken},
          {"advice", line.advised},
          {"inconclusive", line.untold}};
}

Json rule_json(const audit::RuleLine& rule) {
  return {{"id", rule.id},
          {"status", verify::word(rule.status)},
          {"topic", audit::word(rule.topic)},
          {"statement", rule.statement},
          {"source", text_or_null(rule.source)},
          {"kept", rule.kept},
          {"broken", rule.broken},
          {"advised", rule.advised},
          {"inconclusive", rule.untold},
          {"evidence", rule.evidence},
          {"advice", text_or_null(rule.advice)},
          {"scenarios", rule.scenarios}};
}

Json scenario_json(const audit::ScenarioLine& line) {
  return {{"name", line.name},
          {"status", verify::word(line.status)},
          {"reason", text_or_null(line.reason)},
          {"rules", line.rules},
          {"runs", line.runs},
          {"client", text_or_null(line.client)},
          {"command", line.command}};
}

Json backoff_json(const audit::BackoffFound& found) {
  if (!found.seen) return nullptr;
  return {{"first_at_once", found.first_at_once},
          {"base_ms", milliseconds(found.base)},
          {"factor", found.has_factor ? Json(static_cast<double>(found.factor_thousandths) / 1000)
                                      : Json(nullptr)},
          {"growth", found.power == 0   ? "factor"
                     : found.power == 1 ? "linear"
                                        : "quadratic"},
          {"cap_ms", or_null(found.cap)},
          {"longest_ceiling_ms", milliseconds(found.longest)},
          {"jitter", retrylab::word(found.jitter)},
          {"spread", found.spread},
          {"added_ms", milliseconds(found.added)},
          {"confidence", found.confidence},
          {"decided", found.is_decided},
          {"waits", found.waits}};
}

Json waits_json(const audit::WaitsFound& found) {
  return {{"seconds", audit::word(found.seconds)},
          {"date", audit::word(found.date)},
          {"old_dates", audit::word(found.old_dates)},
          {"survives_junk", audit::word(found.survives_junk)},
          {"longest_kept_ms", or_null(found.longest_kept)},
          {"refused_ms", or_null(found.refused)},
          {"clamp_ms", or_null(found.clamp)},
          {"replaced_ms", or_null(found.replaced)},
          {"sleeps_on", audit::word(found.sleeps_on)},
          {"early_ms", or_null(found.early)},
          {"late_ms", or_null(found.late)}};
}

Json findings_json(const audit::Findings& findings) {
  Json json{
      {"attempts",
       {{"most", findings.attempts.most ? Json(*findings.attempts.most) : Json(nullptr)},
        {"varies", findings.attempts.varies},
        {"without_end", findings.attempts.without_end},
        {"operations", findings.attempts.operations}}},
      {"backoff", backoff_json(findings.backoff)},
      {"reactions", Json::array()},
      {"retry_after", waits_json(findings.waits)},
      {"attempt_timeout_ms", or_null(findings.times.attempt_timeout)},
      {"deadline_ms", or_null(findings.times.deadline)},
      {"watched_ms", milliseconds(findings.times.watched)},
      {"key",
       {{"kind", audit::word(findings.keys.kind)}, {"header", text_or_null(findings.keys.header)}}},
      {"resends",
       {{"safe", audit::word(findings.resends.safe)},
        {"post", audit::word(findings.resends.post)}}}};
  for (const audit::Reaction& one : findings.reactions) {
    json["reactions"].push_back({{"what", one.what},
                                 {"method", one.method},
                                 {"key", one.has_key},
                                 {"retried", audit::word(one.retried)}});
  }
  return json;
}

template <typename Lines, typename Write>
Json list(const Lines& lines, const Write& write) {
  Json json = Json::array();
  for (const auto& line : lines) json.push_back(write(line));
  return json;
}

}  // namespace

std::string audit_json(const audit::Scorecard& card) {
  const Json json{{"retrylab", version()},
                  {"client", card.client},
                  {"profile", card.profile},
                  {"seed", card.seed},
                  {"quick", card.quick},
                  {"took_ms", milliseconds(card.took)},
                  {"verdict", verify::word(card.status)},
                  {"overall", audit::word(card.overall)},
                  {"notes", card.notes},
                  {"topics", list(card.topics, topic_json)},
                  {"rules", list(card.rules, rule_json)},
                  {"scenarios", list(card.scenarios, scenario_json)},
                  {"findings", findings_json(card.findings)}};
  // What a client sent may be anything.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace retrylab::report
