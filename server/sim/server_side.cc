// SPDX-License-Identifier: MIT
#include "server/sim/server_side.h"

#include <utility>

#include "server/sim/line.h"

namespace retrylab::sim {

using wire::ConnectionId;

ServerSide::ServerSide(EventQueue& queue, engine::Engine& engine, journal::Recorder& recorder,
                       Timing timing)
    : queue_(queue), engine_(engine), recorder_(recorder), timing_(timing) {}

ServerSide::~ServerSide() = default;

ServerSide::Line& ServerSide::line_at(ConnectionId id) const {
  return lines_[(id - 1) / kChunk][(id - 1) % kChunk];
}

const void* ServerSide::state_of(ConnectionId id) const {
  return &line_at(id);
}

ConnectionId ServerSide::connect(Peer& peer, std::uint32_t listener) {
  if (last_id_ % kChunk == 0) {
    lines_.push_back(std::make_unique<Line[]>(kChunk));  // NOLINT(modernize-avoid-c-arrays)
  }
  Line& line = line_at(++last_id_);
  line.id = last_id_;
  line.listener = listener;
  line.peer = &peer;
  return line.id;
}

void ServerSide::begin(ConnectionId id) {
  Line& line = line_at(id);
  follow(line, engine_.connected({id, line.listener, "127.0.0.1"}, queue_.now()));
  run(line);
}

void ServerSide::receive(ConnectionId id, std::shared_ptr<const VirtualRequest> request) {
  Line& line = line_at(id);
  if (!line.open) {  // the kernel answers for a socket that is gone
    send(line, [](Peer& peer, ConnectionId connection) { peer.on_reset(connection); });
    return;
  }
  line.bytes_received += request->size();
  const bool waits = line.awaits_request || line.yields_to_request;
  if (!waits && !line.in_plan && line.arrivals.empty()) {
    line.current = {std::move(request), queue_.now()};
    serve_current(line);
    return run_released();
  }
  line.arrivals.push_back({std::move(request), queue_.now()});
  if (line.awaits_request) {
    line.awaits_request = false;
    next_action(line);
    run(line);
  } else if (line.yields_to_request) {
    if (end_idle_wait(line)) run(line);
  }
  run_released();
}

void ServerSide::peer_closed(ConnectionId id) {
  Line& line = line_at(id);
  if (!line.open) return;
  line.delivery.peer = wire::Delivery::Peer::closed;
  line.delivery.peer_left = queue_.now();
  if (line.in_plan && line.next < line.plan->actions.size()) {
    const auto* hold = std::get_if<wire::Hold>(&line.plan->actions[line.next]);
    if (hold != nullptr && !hold->time) ++line.next;  // its end is the peer's leaving
  }
  idle_over(line);
  finish_attempt(line);
  end(line, journal::Connection::ClosedBy::peer);
  run_released();
}

bool ServerSide::end_idle_wait(Line& line) {
  line.yields_to_request = false;
  const auto& actions = line.plan->actions;
  std::size_t next = line.next;
  while (next < actions.size() && !std::holds_alternative<wire::ReadTo>(actions[next])) ++next;
  if (next < actions.size()) {
    line.next = next;
    line.begin_action();
    return true;
  }
  idle_over(line);
  serve_next(line);
  return false;
}

void ServerSide::idle_over(Line& line) {
  if (std::exchange(line.own_plan, false)) engine_.idle_over(line.id, line.next);
}

void ServerSide::follow(Line& line, wire::Plan plan) {
  static const auto kNothing = std::make_shared<const wire::Plan>();
  line.plan = plan.actions.empty() ? kNothing : std::make_shared<const wire::Plan>(std::move(plan));
  line.next = 0;
  line.in_plan = true;
  line.own_plan = line.attempt == 0;
  line.begin_action();
}

// Carries the plan out up to its next wait or its end.
void ServerSide::run(Line& line) {
  while (line.open && line.in_plan) {
    const std::shared_ptr<const wire::Plan> plan = line.plan;  // acting may replace it
    if (line.next == plan->actions.size()) return plan_over(line, line.attempt == 0);
    const auto act_on = [&](const auto& action) { return act(line, action); };
    if (std::visit(act_on, plan->actions[line.next]) == Step::wait) return;
  }
}

// A plan that does not say what becomes of the connection closes it, unless it is the
// connection's own.
void ServerSide::plan_over(Line& line, bool keep_alive) {
  idle_over(line);
  wire::Plan idle = finish_attempt(line);
  line.in_plan = false;
  line.plan.reset();
  if (!keep_alive) {
    send(line, [](Peer& peer, ConnectionId connection) { peer.on_fin(connection); });
    return end(line, journal::Connection::ClosedBy::server);
  }
  if (!idle.actions.empty()) {
    follow(line, std::move(idle));
    run(line);
  } else if (!line.arrivals.empty()) {
    serve_next(line);
  }
}

wire::Plan ServerSide::finish_attempt(Line& line) {
  if (line.attempt == 0) return {};
  line.delivery.actions_done = line.next;
  awaiting_.erase(line.attempt);
  return engine_.finished(std::exchange(line.attempt, 0), line.delivery, queue_.now());
}

void ServerSide::end(Line& line, journal::Connection::ClosedBy by) {
  idle_over(line);
  line.open = false;
  line.in_plan = false;
  line.plan.reset();
  line.current.request.reset();
  line.arrivals = {};
  ++line.ticket;
  engine_.disconnected(line.id, by, line.bytes_received, queue_.now());
}

void ServerSide::serve_next(Line& line) {
  line.current = std::move(line.arrivals.front());
  line.arrivals.erase(line.arrivals.begin());
  serve_current(line);
}

void ServerSide::serve_current(Line& line) {
  line.delivery = {};
  line.yields_to_request = false;
  wire::HeadEvent event;
  event.connection = line.id;
  event.number_on_connection = ++line.requests;
  event.first_byte = line.current.at;
  event.first_byte_from_kernel = true;
  event.head = line.current.request->head();
  wire::Answer answer = engine_.head_arrived(event, queue_.now());
  line.attempt = answer.attempt;
  follow(line, std::move(answer.plan));
  run(line);
}

void ServerSide::run_released() {
  for (std::vector<wire::AttemptId> released = engine_.take_released(); !released.empty();
       released = engine_.take_released()) {
    for (const wire::AttemptId attempt : released) {
      const auto found = awaiting_.find(attempt);
      if (found == awaiting_.end()) continue;
      Line& line = *found->second;
      ask_engine(line);
      run(line);
    }
  }
}

Peer& ServerSide::peer_of(const Line& line) {
  return *line.peer;
}
ConnectionId ServerSide::id_of(const Line& line) {
  return line.id;
}

// The timer is late by the host's lateness, which its lag probe sees too.
ServerSide::Step ServerSide::wait_until(Line& line, Instant at) {
  const Instant wakes = at == kNever ? kNever : saturating_add(at, timing_.lateness);
  queue_.at(wakes, [this, &line, ticket = line.ticket] {
    if (ticket != line.ticket) return;
    if (timing_.lateness > std::chrono::milliseconds(1)) {
      recorder_.add(journal::Lag{queue_.now(), timing_.lateness});
    }
    run(line);
    run_released();
  });
  return Step::wait;
}

}  // namespace retrylab::sim
