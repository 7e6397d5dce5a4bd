// SPDX-License-Identifier: MIT
// The life of a connection: the `connections` script at its beginning, what happens to it between
// two requests, its record at its end.
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "server/engine/outages.h"
#include "server/engine/state.h"
#include "server/scenario/words.h"

namespace retrylab::engine {

using scenario::Fault;
using scenario::Moment;
using scenario::ReadBefore;
using ClosedBy = journal::Connection::ClosedBy;
using ReadPlace = wire::ReadTo::Place;

namespace {

ReadPlace place_of(ReadBefore read) {
  switch (read) {
    case ReadBefore::none:
      return ReadPlace::request_start;
    case ReadBefore::head:
      return ReadPlace::head_end;
    case ReadBefore::all:
      return ReadPlace::body_end;
  }
  return ReadPlace::request_start;
}

// Kills the next request once that is known, so that the journal can tell which it was.
bool kills_request(const Fault& fault) {
  return fault.at == Moment::next_request && fault.read != ReadBefore::none;
}

// The faults of one phase, each reading as far as it wants.
void add_connection_faults(const std::vector<Fault>& faults, PlanBuilder& builder) {
  std::optional<ReadBefore> read;
  for (const Fault& fault : faults) {
    if (fault.at == Moment::request_start && (!read || *read < fault.read)) {
      builder.add(wire::ReadTo{place_of(fault.read), 0});
      read = fault.read;
    }
    builder.add_fault(fault);
  }
}

}  // namespace

// A connection that comes through although the port is closed was made before.
bool Engine::State::is_down(scenario::Outage::Do how, Instant now) const {
  const scenario::Outage* outage = zero_ ? outage_at(scenario_.outages, elapsed(now)) : nullptr;
  return outage != nullptr && outage->what == how;
}

wire::Plan Engine::State::connected(const NewConnection& connection, Instant now) {
  start_clock(now);
  OpenConnection& open = open_[connection.id];
  open.client = shared(last_client_, connection.client);
  open.listener = connection.listener;
  journal::Connection record;
  record.id = connection.id;
  record.listener = connection.listener;
  record.client = open.client;
  record.accepted = now;
  PlanBuilder builder(garbage_, {});
  if (connection.by_other_port) {
    recorder_.open(std::move(record));
    add_idle_limit(builder, now);
    return hand_out_idle(open, builder);
  }
  const ConnectionsScript::Claimed claimed = connections_script_.claim(now);
  if (claimed.refused || is_down(scenario::Outage::Do::refuse, now)) {
    builder.add_fault({.effect = scenario::ResetEffect{}});
    record.planned_faults = {"refuse by the server"};
  } else if (claimed.hangs || is_down(scenario::Outage::Do::accept_and_hang, now)) {
    builder.add_fault({.effect = scenario::StallEffect{}});
    record.planned_faults = {"accept_and_hang by the server"};
  } else if (claimed.step != nullptr) {
    if (claimed.step->certificate) {
      builder.add(wire::ShowCertificate{*claimed.step->certificate});
      record.planned_faults.push_back(
          fmt::format("{} certificate at accept", scenario::word(*claimed.step->certificate)));
    }
    add_connection_faults(claimed.step->faults, builder);
    for (const Fault& fault : claimed.step->faults) record.planned_faults.push_back(fault.text);
  }
  recorder_.open(std::move(record));
  open.due = builder.marks().size();
  open.stream = builder.stream();
  if (builder.size() == 0) add_idle_limit(builder, now);
  return hand_out_idle(open, builder);
}

void Engine::State::add_idle_limit(PlanBuilder& builder, Instant now) const {
  const auto& idle = scenario_.keep_alive.idle;
  if (!idle || builder.ended()) return;
  builder.add(wire::WaitUntil{saturating_add(now, *idle)});
  builder.add(wire::Close{});
}

wire::Plan Engine::State::hand_out_idle(OpenConnection& open, PlanBuilder& builder) {
  open.marks = builder.marks();
  return builder.take();
}

// What the faults `idle` and `next_request` of the last answer make of the time after it.
wire::Plan Engine::State::idle_plan(OpenConnection& open, std::span<const Fault> faults,
                                    Instant now) {
  PlanBuilder builder(garbage_, {});
  for (const Fault& fault : faults) {
    if (fault.at != Moment::idle) continue;
    builder.add(wire::WaitUntil{saturating_add(now, fault.idle)});
    builder.add_fault(fault);
  }
  add_idle_limit(builder, now);
  for (const Fault& fault : faults) {  // reached when the request comes before all that
    if (fault.at != Moment::next_request) continue;
    if (kills_request(fault)) {
      open.kills.push_back(&fault);
    } else {
      builder.add(wire::ReadTo{ReadPlace::request_start, 0});
      builder.add_fault(fault);
    }
  }
  return hand_out_idle(open, builder);
}

// Planned with the answer, on the record of the connection: the attempt is over before they are.
void Engine::State::note_kept_alive_faults(Live& live, std::span<const Fault> faults) {
  OpenConnection* open = open_.find(live.connection);
  journal::Connection* record = recorder_.find_connection(live.connection);
  if (open == nullptr) return;
  for (const Fault& fault : faults) {
    if (scenario::phase(fault.at) != scenario::Phase::kept_alive) continue;
    live.has_kept_alive_faults = true;
    if (record != nullptr) record->planned_faults.push_back(fault.text);
    ++open->due;
  }
}

// A request that `next_request` kills: an attempt that takes no step of the route it was meant for.
// Its key is that route's business all the same: it was sent.
wire::Plan Engine::State::kill_request(Live& live, OpenConnection& open, const Request& request) {
  PlanBuilder builder(garbage_, {});
  live.decision.source = journal::Source::connection;
  if (const RouteFound meant = routes_.find(request); meant.route) {
    note_key(live, *meant.route, request);
  }
  const std::vector<const Fault*> kills = std::exchange(open.kills, {});
  open.due -= std::min(open.due, kills.size());
  bool reads_all = false;
  for (const Fault* fault : kills) {
    live.record->planned.faults.push_back(fault->text);
    if (fault->read == ReadBefore::all && !reads_all && !request.has_body()) {
      builder.add(wire::ReadTo{ReadPlace::body_byte, std::numeric_limits<std::uint64_t>::max()});
      reads_all = true;
    }
    builder.add_fault(*fault);
  }
  return unanswered(live, builder);
}

void Engine::State::idle_over(ConnectionId id, std::size_t actions_done) {
  OpenConnection* found = open_.find(id);
  if (found == nullptr) return;
  OpenConnection& open = *found;
  const auto done = static_cast<std::size_t>(std::ranges::count_if(
      open.marks,
      [actions_done](const FaultMark& mark) { return took_place(mark, actions_done); }));
  open.due -= std::min(open.due, done);
  // What outlives it on a connection that goes on is an answer that nobody asked for.
  open.stream.garbled = open.stream.garbled || done > 0;
  open.marks.clear();
}

void Engine::State::connection_failed(ConnectionId id, std::string_view why) {
  if (journal::Connection* record = recorder_.find_connection(id)) record->note = why;
}

void Engine::State::disconnected(ConnectionId id, ClosedBy by, std::uint64_t bytes_received,
                                 Instant now) {
  OpenConnection* found = open_.find(id);
  if (found == nullptr) return;
  const OpenConnection open = std::move(*found);
  open_.erase(id);
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
    record->faults_delivered = open.due == 0;
  }
  recorder_.end_connection(id);
}

wire::Gate Engine::State::gate(Instant now) {
  const Instant script = connections_script_.refuses_until(now);
  if (now < script) return note_gate({.open = false, .until = script}, "connections", now);
  if (!zero_) return note_gate({}, "", now);
  Instant next = kNever;
  for (const scenario::Outage& outage : scenario_.outages) {
    if (outage.what != scenario::Outage::Do::refuse) continue;
    const Instant from = *zero_ + outage.from;
    const Instant until = *zero_ + outage.until;
    if (from <= now && now < until) {
      return note_gate({.open = false, .until = until}, "an outage", now);
    }
    if (now < from) next = std::min(next, from);
  }
  return note_gate({.open = true, .until = next}, "", now);
}

// A refused connect cannot be seen: the journal says when there may have been some.
wire::Gate Engine::State::note_gate(wire::Gate gate, std::string_view why, Instant now) {
  if (!gate.open && gate.until > closed_until_) {
    closed_until_ = gate.until;
    paused(now, gate.until, "refused by " + std::string(why));
  }
  return gate;
}

void Engine::State::paused(Instant from, Instant until, std::string_view why) {
  recorder_.add(journal::Pause{from, until, std::string(why)});
}

}  // namespace retrylab::engine
