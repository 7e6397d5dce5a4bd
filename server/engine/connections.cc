// SPDX-License-Identifier: MIT
// The life of a connection: the `connections` script at its beginning, its record at its end.
#include "server/engine/state.h"

namespace retrylab::engine {

using scenario::Fault;
using scenario::Moment;
using ClosedBy = journal::Connection::ClosedBy;

wire::Plan Engine::State::connected(const NewConnection& connection, Instant now) {
  start_clock(now);
  OpenConnection& open = open_[connection.id];
  open.client = connection.client;
  open.listener = connection.listener;
  open.step = connections_script_.claim();
  journal::Connection record;
  record.id = connection.id;
  record.listener = connection.listener;
  record.client = connection.client;
  record.accepted = now;
  PlanBuilder builder(garbage_, {});
  if (open.step != nullptr) add_connection_faults(*open.step, builder, record.planned_faults);
  open.marks = builder.marks();
  open.ends = builder.ended();
  open.faults_until = now + builder.held();
  recorder_.open(std::move(record));
  return builder.take();
}

void Engine::State::add_connection_faults(const scenario::ConnectionStep& step,
                                          PlanBuilder& builder, std::vector<std::string>& texts) {
  bool started = false;
  for (const Fault& fault : step.faults) {
    if (fault.at == Moment::request_start && !started) {
      builder.add(wire::ReadTo{wire::ReadTo::Place::request_start, 0});
      started = true;
    }
    builder.add_fault(fault);
    texts.push_back(fault.text);
  }
}

void Engine::State::disconnected(ConnectionId id, ClosedBy by, std::uint64_t bytes_received,
                                 Instant now) {
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  const OpenConnection open = std::move(found->second);
  open_.erase(found);
  if (find_live(open.attempt) != nullptr) {
    wire::Delivery delivery;
    if (by == ClosedBy::peer) delivery.peer = wire::Delivery::Peer::closed;
    if (by == ClosedBy::peer_reset) delivery.peer = wire::Delivery::Peer::reset;
    if (delivery.peer_gone()) delivery.peer_left = now;
    finished(open.attempt, delivery, now);
  }
  if (journal::Connection* record = recorder_.find_connection(id)) {
    record->bytes_received = bytes_received;
    record->closed = now;
    record->closed_by = by;
    record->faults_delivered = connection_faults_delivered(open, *record);
  }
  recorder_.end_connection(id);
}

// The edge reports no delivery of a connection's own plan, so this is told from how it ended.
bool Engine::State::connection_faults_delivered(const OpenConnection& open,
                                                const journal::Connection& record) {
  if (open.marks.empty() || record.requests > 0) return true;
  const bool at_start = open.step->faults.back().at == Moment::request_start;
  if (at_start && record.bytes_received == 0) return false;
  if (!open.marks.back().open_ended && open.ends) return record.closed_by == ClosedBy::server;
  return *record.closed >= open.faults_until;
}

}  // namespace retrylab::engine
