// SPDX-License-Identifier: MIT
#include "server/journal/ndjson_attempt.h"

namespace retrylab::journal {
namespace {

void read_planned(const Members& members, Planned& planned) {
  members.read("source", planned.source, source_of);
  members.read("route", planned.route);
  members.read("step", planned.step);
  members.read("status", planned.status);
  members.read("retry_after", planned.retry_after);
  members.read("location", planned.location);
  members.read("delay_ns", planned.delay);
  members.read("faults", planned.faults);
  members.read("complete", planned.complete);
  members.read("connection_close", planned.connection_close);
  members.read("should_retry_false", planned.should_retry_false);
  members.read("hints", planned.hints);
  members.read("near_misses", planned.near_misses);
  members.read("note", planned.note);
}

}  // namespace

void read_progress(const Members& members, Attempt& attempt) {
  members.read("body_read_ns", attempt.body_read);
  members.read("body_bytes", attempt.body_bytes);
  members.read("body_sha256", attempt.body_sha256);
  members.read("operation", attempt.operation);
  members.read("key", attempt.key);
  members.read("executed", attempt.executed);
  members.read("replayed", attempt.replayed);
  members.read("resource", attempt.resource);
}

void read_begun(const Members& members, Attempt& attempt) {
  members.read("connection", attempt.connection);
  members.read("number_on_connection", attempt.number_on_connection);
  members.read("listener", attempt.listener);
  members.read("client", attempt.client);
  members.read("first_byte_ns", attempt.first_byte);
  members.read("first_byte_from_kernel", attempt.first_byte_from_kernel);
  members.read("head_read_ns", attempt.head_read);
  members.read("method", attempt.method);
  members.read("target", attempt.target);
  members.read("head", attempt.head);
  members.read("route_has_store", attempt.route_has_store);
  read_progress(members, attempt);
  if (const auto planned = members.object("planned")) read_planned(*planned, attempt.planned);
}

void read_delivered(const Members& members, Delivered& delivered) {
  members.read("ending", delivered.ending, ending_of);
  members.read("r_min_ns", delivered.r_min);
  members.read("r_max_ns", delivered.r_max);
  members.read("bytes", delivered.bytes);
  members.read("faults_delivered", delivered.faults_delivered);
  members.read("peer_left_ns", delivered.peer_left);
  members.read("peer_reset", delivered.peer_reset);
  members.read("ended_ns", delivered.ended);
}

}  // namespace retrylab::journal
