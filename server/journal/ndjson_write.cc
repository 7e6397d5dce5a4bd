// SPDX-License-Identifier: MIT
#include <utility>

#include "server/journal/ndjson.h"
#include "server/journal/ndjson_line.h"

namespace retrylab::journal {
namespace {

void put_planned(NdjsonLine& line, const Planned& planned) {
  line.open_object("planned")
      .text("source", word(planned.source))
      .text("route", planned.route)
      .text("step", planned.step)
      .integer("status", planned.status)
      .texts("retry_after", planned.retry_after)
      .text("location", planned.location)
      .integer("delay_ns", planned.delay.count())
      .texts("faults", planned.faults)
      .flag("complete", planned.complete, true)
      .flag("connection_close", planned.connection_close)
      .flag("should_retry_false", planned.should_retry_false)
      .headers("hints", planned.hints)
      .texts("near_misses", planned.near_misses)
      .text("note", planned.note)
      .close_object();
}

// What may still be filled in after the attempt began.
void put_progress(NdjsonLine& line, const Attempt& attempt) {
  line.time("body_read_ns", attempt.body_read)
      .integer("body_bytes", attempt.body_bytes)
      .text("body_sha256", attempt.body_sha256 ? to_hex(*attempt.body_sha256) : std::string())
      .text("operation", attempt.operation)
      .text("key", attempt.key)
      .flag("executed", attempt.executed)
      .flag("replayed", attempt.replayed)
      .text("resource", attempt.resource);
}

}  // namespace

NdjsonSink::NdjsonSink(Write write, std::string retrylab_version, std::uint32_t run)
    : write_(std::move(write)), version_(std::move(retrylab_version)), run_(run) {}

void NdjsonSink::run_started(const Run& run) {
  run_ = run.number;
  NdjsonLine(line_, "run")
      .text("format", kNdjsonFormat)
      .text("retrylab", version_)
      .integer("run", run.number)
      .text("scenario", run.scenario_name)
      .text("hash", run.scenario_hash)
      .integer("seed", run.seed)
      .text("profile", run.profile)
      .text("command", run.command)
      .integer("wall_origin_ns", Duration(run.wall_origin.time_since_epoch()).count())
      .flag("one_process", run.one_process, true)
      .integer("processes", run.processes)
      .end();
  write_(line_);
}

void NdjsonSink::connection_opened(const Connection& connection) {
  NdjsonLine(line_, "opened")
      .integer("run", run_)
      .integer("connection", connection.id)
      .integer("listener", connection.listener)
      .text("client", connection.client)
      .time("at_ns", connection.accepted)
      .texts("planned_faults", connection.planned_faults)
      .end();
  write_(line_);
}

void NdjsonSink::connection_ended(const Connection& connection) {
  NdjsonLine(line_, "closed")
      .integer("run", run_)
      .integer("connection", connection.id)
      .time("at_ns", connection.closed)
      .text("by", word(connection.closed_by))
      .integer("bytes_received", connection.bytes_received)
      .integer("requests", connection.requests)
      .texts("planned_faults", connection.planned_faults)
      .flag("faults_delivered", connection.faults_delivered, true)
      .text("note", connection.note)
      .end();
  write_(line_);
}

void NdjsonSink::begun(const Attempt& attempt) {
  NdjsonLine line(line_, "begun");
  line.integer("run", run_)
      .integer("attempt", attempt.id)
      .integer("connection", attempt.connection)
      .integer("number_on_connection", attempt.number_on_connection)
      .integer("listener", attempt.listener)
      .text("client", attempt.client)
      .time("first_byte_ns", attempt.first_byte)
      .flag("first_byte_from_kernel", attempt.first_byte_from_kernel)
      .time("head_read_ns", attempt.head_read)
      .text("method", attempt.method)
      .text("target", attempt.target)
      .text("head", attempt.head)
      .flag("route_has_store", attempt.route_has_store);
  put_progress(line, attempt);
  put_planned(line, attempt.planned);
  line.end();
  write_(line_);
}

void NdjsonSink::ended(const Attempt& attempt) {
  const Delivered& delivered = attempt.delivered;
  NdjsonLine line(line_, "ended");
  line.integer("run", run_).integer("attempt", attempt.id);
  put_progress(line, attempt);
  line.open_object("delivered")
      .text("ending", word(delivered.ending))
      .time("r_min_ns", delivered.r_min)
      .time("r_max_ns", delivered.r_max)
      .integer("bytes", delivered.bytes)
      .flag("faults_delivered", delivered.faults_delivered, true)
      .time("peer_left_ns", delivered.peer_left)
      .flag("peer_reset", delivered.peer_reset)
      .time("ended_ns", delivered.ended)
      .close_object()
      .end();
  write_(line_);
}

void NdjsonSink::resource(const Resource& resource) {
  NdjsonLine(line_, "resource")
      .integer("run", run_)
      .text("kind", resource.kind)
      .text("id", resource.id)
      .integer("attempt", resource.attempt)
      .text("key", resource.key)
      .time("at_ns", resource.at)
      .end();
  write_(line_);
}

void NdjsonSink::lag(const Lag& lag) {
  NdjsonLine(line_, "lag")
      .integer("run", run_)
      .time("at_ns", lag.at)
      .integer("late_ns", lag.late.count())
      .end();
  write_(line_);
}

void NdjsonSink::pause(const Pause& pause) {
  NdjsonLine(line_, "pause")
      .integer("run", run_)
      .time("from_ns", pause.from)
      .time("until_ns", pause.until)
      .text("why", pause.why)
      .end();
  write_(line_);
}

void NdjsonSink::client_ended(const ClientEnd& client) {
  NdjsonLine(line_, "client")
      .integer("run", run_)
      .integer("process", client.process)
      .integer("exit_code", client.exit_code)
      .integer("signal", client.signal)
      .text("outcome", word(client.outcome))
      .flag("declared", client.declared)
      .integer("status", client.status)
      .text("body_sha256", client.body_sha256)
      .text("reason", client.reason)
      .time("ended_ns", client.ended)
      .end();
  write_(line_);
}

void NdjsonSink::run_ended(const Run& run) {
  NdjsonLine(line_, "end")
      .integer("run", run_)
      .time("ended_ns", run.ended)
      .time("zero_ns", run.zero)
      .integer("attempts_begun", run.attempts_begun)
      .integer("connections_opened", run.connections_opened)
      .integer("steps_unused", run.steps_unused)
      .end();
  write_(line_);
}

void write_ndjson(const Run& run, NdjsonSink& sink) {
  sink.run_started(run);
  for (const Connection& connection : run.connections) sink.connection_opened(connection);
  for (const Attempt& attempt : run.attempts) {
    sink.begun(attempt);
    if (attempt.delivered.ending != Ending::pending) sink.ended(attempt);
  }
  for (const Resource& resource : run.resources) sink.resource(resource);
  for (const Lag& lag : run.lags) sink.lag(lag);
  for (const Pause& pause : run.pauses) sink.pause(pause);
  for (const ClientEnd& client : run.clients) sink.client_ended(client);
  for (const Connection& connection : run.connections) {
    if (connection.closed) sink.connection_ended(connection);
  }
  if (run.ended) sink.run_ended(run);
}

std::string to_ndjson(const Run& run, std::string retrylab_version) {
  std::string text;
  NdjsonSink sink([&text](std::string_view line) { text.append(line); },
                  std::move(retrylab_version));
  write_ndjson(run, sink);
  return text;
}

}  // namespace retrylab::journal
