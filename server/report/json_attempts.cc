// SPDX-License-Identifier: MIT
#include "server/report/json_attempts.h"

#include <map>
#include <optional>
#include <utility>

#include "server/report/story.h"

namespace retrylab::report {
namespace {

void write_at(const journal::Run& run, const std::optional<Instant>& instant, JsonText& json) {
  if (instant) {
    json.milliseconds(since_zero(run, *instant));
  } else {
    json.null();
  }
}

void write_planned(const journal::Planned& planned, JsonText& json) {
  json.object()
      .name("source")
      .text(journal::word(planned.source))
      .name("route")
      .text_or_null(planned.route)
      .name("step")
      .text_or_null(planned.step)
      .name("status")
      .number(planned.status)
      .name("retry_after")
      .texts(planned.retry_after)
      .name("location")
      .text_or_null(planned.location)
      .name("delay_ms")
      .milliseconds(planned.delay)
      .name("faults")
      .texts(planned.faults)
      .end();
}

void write_delivered(const journal::Run& run, const journal::Delivered& delivered, JsonText& json) {
  json.object().name("ending").text(journal::word(delivered.ending));
  write_at(run, delivered.r_min, json.name("r_min_ms"));
  write_at(run, delivered.r_max, json.name("r_max_ms"));
  json.name("bytes").number(delivered.bytes);
  json.name("faults_delivered").flag(delivered.faults_delivered);
  write_at(run, delivered.peer_left, json.name("peer_left_ms"));
  json.name("peer_reset").flag(delivered.peer_reset).end();
}

void write_headers(const Headers& headers, JsonText& json) {
  json.list();
  for (const auto& header : headers) json.list().text(header.name).text(header.value).end();
  json.end();
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

std::optional<Duration> gap_of(const Lookup& lookup, const journal::Attempt& attempt,
                               const Place& place) {
  if (!place.before) return std::nullopt;
  const auto* before = lookup.attempt({attempt.run, *place.before});
  return before == nullptr ? std::nullopt : gap(*before, attempt);
}

void write_request(const journal::Run& run, const journal::Attempt& attempt, JsonText& json) {
  json.name("run").number(run.number);
  json.name("attempt").number(attempt.id);
  json.name("connection").number(attempt.connection);
  json.name("number_on_connection").number(attempt.number_on_connection);
  json.name("client").text(attempt.client);
  write_at(run, attempt.first_byte, json.name("first_byte_ms"));
  json.name("first_byte_from_kernel").flag(attempt.first_byte_from_kernel);
  write_at(run, attempt.head_read, json.name("head_read_ms"));
  write_at(run, attempt.body_read, json.name("body_read_ms"));
  json.name("method").text(attempt.method);
  json.name("target").text(attempt.target);
  write_headers(attempt.headers(), json.name("headers"));
  json.name("body_bytes").number(attempt.body_bytes);
  json.name("body_sha256")
      .text_or_null(attempt.body_sha256 ? to_hex(*attempt.body_sha256) : std::string());
}

void write_attempt(const journal::Run& run, const journal::Attempt& attempt, const Place* place,
                   const Lookup& lookup, JsonText& json) {
  json.object();
  write_request(run, attempt, json);
  json.name("key").text_or_null(attempt.key);
  json.name("executed").flag(attempt.executed);
  json.name("replayed").flag(attempt.replayed);
  json.name("resource").text_or_null(attempt.resource);
  write_planned(attempt.planned, json.name("planned"));
  write_delivered(run, attempt.delivered, json.name("delivered"));
  json.name("operation")
      .number_or_null(place != nullptr ? std::optional(place->operation) : std::nullopt);
  const auto gap = place != nullptr ? gap_of(lookup, attempt, *place) : std::nullopt;
  json.name("gap_ms");
  if (gap) {
    json.milliseconds(*gap);
  } else {
    json.null();
  }
  json.end();
}

}  // namespace

void write_attempts(const Report& report, JsonText& json) {
  const Places places = find_places(report.verdict);
  const Lookup lookup(report.runs);
  json.list();
  for (const auto& run : report.runs) {
    for (const auto& attempt : run.attempts) {
      const auto place = places.find({run.number, attempt.id});
      write_attempt(run, attempt, place != places.end() ? &place->second : nullptr, lookup, json);
    }
  }
  json.end();
}

void write_unmatched(const Report& report, JsonText& json) {
  json.list();
  for (const auto& run : report.runs) {
    for (const auto& attempt : run.attempts) {
      if (attempt.planned.source != journal::Source::unmatched) continue;
      json.object().name("run").number(run.number).name("attempt").number(attempt.id);
      json.name("method").text(attempt.method);
      json.name("target").text(attempt.target);
      json.name("near_misses").texts(attempt.planned.near_misses).end();
    }
  }
  json.end();
}

}  // namespace retrylab::report
