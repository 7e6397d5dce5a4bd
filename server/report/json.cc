// SPDX-License-Identifier: MIT
#include "server/report/json.h"

#include <optional>
#include <utility>

#include "server/report/json_attempts.h"
#include "server/report/json_text.h"
#include "server/report/story.h"

namespace retrylab::report {
namespace {

void write_client(const journal::Run& run, const journal::ClientEnd& client, JsonText& json) {
  json.object().name("exit").number_or_null(client.exit_code);
  json.name("signal").number_or_null(client.signal);
  json.name("outcome").text(journal::word(client.outcome));
  json.name("declared").flag(client.declared);
  json.name("status").number_or_null(client.status);
  json.name("body_sha256").text_or_null(client.body_sha256);
  json.name("reason").text_or_null(client.reason);
  json.name("ended_ms");
  if (client.ended) {
    json.milliseconds(since_zero(run, *client.ended));
  } else {
    json.null();
  }
  json.end();
}

void write_clients(const journal::Run& run, JsonText& json) {
  json.name("client");
  if (run.clients.size() == 1) {
    write_client(run, run.clients.front(), json);
  } else {
    json.null();
  }
  if (run.clients.size() <= 1) return;
  json.name("clients").list();
  for (const auto& client : run.clients) write_client(run, client, json);
  json.end();
}

void write_runs(const Report& report, JsonText& json) {
  json.list();
  for (const auto& run : report.runs) {
    json.object().name("run").number(run.number).name("seed").number(run.seed);
    write_clients(run, json);
    json.name("connections").number(run.connections.size());
    json.name("attempts").number(run.attempts.size());
    json.name("dropped_attempts").number(run.dropped_attempts);
    json.name("steps_unused").number(run.steps_unused).end();
  }
  json.end();
}

void write_references(const std::vector<verify::AttemptRef>& refs, JsonText& json) {
  json.list();
  for (const auto& ref : refs) {
    json.object().name("run").number(ref.run).name("attempt").number(ref.attempt).end();
  }
  json.end();
}

void write_rules(const verify::Verdict& verdict, JsonText& json) {
  json.list();
  for (const auto& rule : verdict.rules) {
    json.object().name("id").text(rule.id);
    json.name("status").text(verify::word(rule.status));
    json.name("statement").text(rule.statement);
    json.name("source").text_or_null(rule.source);
    json.name("expected").text(rule.expected);
    json.name("observed").text(rule.observed);
    json.name("missed_by_ms");
    if (rule.missed_by) {
      json.milliseconds(*rule.missed_by);
    } else {
      json.null();
    }
    write_references(rule.attempts, json.name("attempts"));
    json.name("advice").text_or_null(rule.advice).end();
  }
  json.end();
}

void write_operations(const verify::Verdict& verdict, JsonText& json) {
  json.list();
  for (const auto& operation : verdict.operations) {
    json.object().name("run").number(operation.run);
    json.name("operation").number(operation.number);
    json.name("name").text_or_null(operation.name);
    json.name("attempts").list();
    for (const auto& ref : operation.attempts) json.number(ref.attempt);
    json.end().end();
  }
  json.end();
}

void write_resources(const Report& report, JsonText& json) {
  json.list();
  for (const auto& run : report.runs) {
    for (const auto& resource : run.resources) {
      json.object().name("run").number(run.number);
      json.name("kind").text(resource.kind);
      json.name("id").text(resource.id);
      json.name("attempt").number(resource.attempt);
      json.name("key").text_or_null(resource.key);
      json.name("at_ms").milliseconds(since_zero(run, resource.at)).end();
    }
  }
  json.end();
}

void write_scenario(const Report& report, JsonText& json) {
  json.object().name("name").text(report.scenario.name);
  json.name("about").text(report.scenario.about);
  json.name("hash").text(report.runs.front().scenario_hash).end();
}

// What is said of all runs together.
void write_head(const Report& report, JsonText& json) {
  const auto& verdict = report.verdict;
  const auto& first = report.runs.front();
  json.name("retrylab").text(version()).name("format").number(1);
  json.name("verdict").text(verify::word(verdict.status));
  write_scenario(report, json.name("scenario"));
  json.name("seed").number(first.seed);
  json.name("command").text_or_null(first.command);
  json.name("host").object().name("lag_ms_max").milliseconds(verdict.worst_lag).end();
  json.name("profile").text(verdict.profile);
  json.name("grouping").text(verify::word(verdict.grouping));
  json.name("notes").texts(verdict.notes);
}

enum class Attempts { all, none };

// About so many.
std::size_t bytes_of_attempts(const Report& report) {
  constexpr std::size_t kEach = 1'600;
  std::size_t count = 0;
  for (const auto& run : report.runs) count += run.attempts.size();
  return count * kEach;
}

std::string written(const Report& report, Attempts attempts) {
  JsonText json(attempts == Attempts::all ? bytes_of_attempts(report) : 0);
  json.object();
  write_head(report, json);
  write_runs(report, json.name("runs"));
  write_rules(report.verdict, json.name("rules"));
  write_operations(report.verdict, json.name("operations"));
  if (attempts == Attempts::all) {
    write_attempts(report, json.name("attempts"));
    write_unmatched(report, json.name("unmatched"));
  } else {
    json.name("attempts").list().end().name("unmatched").list().end();
  }
  write_resources(report, json.name("resources"));
  json.end();
  return std::move(json).take();
}

}  // namespace

std::string json_report(const Report& report) {
  return written(report, Attempts::all);
}

std::string json_summary(const Report& report) {
  return written(report, Attempts::none);
}

}  // namespace retrylab::report
