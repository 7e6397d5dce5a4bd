// SPDX-License-Identifier: MIT
// What becomes of an attempt: its record begun with what was planned, ended with what was
// delivered.
#include <algorithm>

#include "server/engine/state.h"

namespace retrylab::engine {

using journal::Ending;
using journal::Source;

wire::Plan Engine::State::hand_out(Live& live, PlanBuilder& builder) {
  live.stream = builder.stream();
  live.marks = builder.marks();
  wire::Plan plan = builder.take();
  live.actions = plan.actions.size();
  const auto* hold = plan.actions.empty() ? nullptr : std::get_if<wire::Hold>(&plan.actions.back());
  live.ends_open = hold != nullptr && !hold->time;
  if (live.ends_open) plan.actions.shrink_to_fit();  // it may be kept for long
  return plan;
}

// Of the step that answers.
journal::Text Engine::State::place_of(const Live& live) {
  const Decision& decision = live.decision;
  return decision.place != nullptr ? *decision.place : journal::Text(decision.step->where);
}

// What is known from the decision alone.
void Engine::State::describe_decision(Live& live) {
  journal::Planned& planned = live.record->planned;
  planned.source = live.decision.source;
  planned.delay = live.delay;
  if (live.route) planned.route = state_of(live).on;
  if (live.decision.step != nullptr) planned.step = place_of(live);
  if (live.decision.source == Source::replay || live.decision.step == nullptr) {
    if (live.decision.change != nullptr) planned.step = live.decision.change->where;
  }
  for (const scenario::Fault& fault : manner_of_live(live).faults) {
    // Those between two requests are in the connection's record.
    if (scenario::phase(fault.at) != scenario::Phase::kept_alive) {
      planned.faults.push_back(fault.text);
    }
  }
}

void Engine::State::hand_to_journal(Live& live) {
  recorder_.begin(std::move(live.record), live.ends_open);
  live.decision.reply.reset();
}

void Engine::State::begin(Live& live) {
  live.stage = Live::Stage::planned;
  hand_to_journal(live);
}

// The plan was over before the answer was planned.
void Engine::State::begin_unplanned(Live& live) {
  const bool knew = live.stage != Live::Stage::deciding;
  if (!knew) live.record->planned.note = "the request ended before it was complete";
  if (!knew && !live.route) live.decision.source = Source::malformed;
  describe_decision(live);
  live.record->planned.complete = false;
  if (!live.record->planned.faults.empty()) live.fault_missed = true;
  hand_to_journal(live);
}

wire::Plan Engine::State::finished(AttemptId id, const wire::Delivery& delivery, Instant now) {
  Live* live = find_live(id);
  if (live == nullptr) return {};
  release_key(*live);
  leave_barrier(*live);
  if (live->route) leave_place(*live, id);
  leave_route(*live);
  const bool planned = live->begun();
  if (!planned) begin_unplanned(*live);
  if (journal::Attempt* record = recorder_.find(id)) {
    describe_delivery(*live, planned, delivery, *record);
    record->delivered.ended = now;
  }
  recorder_.end(id);
  wire::Plan idle = idle_after(*live, now);
  live_.erase(id);
  return idle;
}

// Of no use when the connection is over: the edge knows, and forgets it.
wire::Plan Engine::State::idle_after(const Live& live, Instant now) {
  const bool has_faults = live.has_kept_alive_faults;
  if (!has_faults && !scenario_.keep_alive.idle) return {};
  OpenConnection* open = open_.find(live.connection);
  if (open == nullptr) return {};
  return idle_plan(
      *open, has_faults ? manner_of_live(live).faults : std::span<const scenario::Fault>(), now);
}

void Engine::State::describe_delivery(const Live& live, bool planned,
                                      const wire::Delivery& delivery, journal::Attempt& record) {
  const bool over = planned && (delivery.actions_done >= live.actions ||
                                (live.ends_open && delivery.actions_done + 1 >= live.actions));
  journal::Delivered& delivered = record.delivered;
  delivered.r_min = delivery.r_min;
  delivered.r_max = delivery.r_max;
  delivered.bytes = delivery.bytes;
  delivered.faults_delivered =
      !live.fault_missed && std::ranges::all_of(live.marks, [&](const FaultMark& mark) {
        return took_place(mark, delivery.actions_done);
      });
  delivered.peer_left = delivery.peer_left;
  delivered.peer_reset = delivery.peer == wire::Delivery::Peer::reset;
  if (over) {
    delivered.ending = Ending::delivered;
  } else if (delivery.machine_trouble) {
    delivered.ending = Ending::failed;
  } else {
    delivered.ending = delivery.peer_gone() ? Ending::peer_left : Ending::pending;
  }
}

void Engine::State::leave_route(Live& live) {
  if (live.route) --state_of(live).serving;
}

void Engine::State::leave_barrier(Live& live) {
  if (live.barrier == nullptr) return;
  std::erase(barriers_[live.barrier], live.record->id);
  live.barrier = nullptr;
}

std::vector<AttemptId> Engine::State::take_released() {
  std::erase_if(released_, [this](AttemptId id) {
    const Live* live = find_live(id);
    return live == nullptr ||
           (live->stage != Live::Stage::awaiting_key && live->stage != Live::Stage::delayed);
  });
  return std::exchange(released_, {});
}

std::uint32_t Engine::State::steps_unused() const {
  std::ptrdiff_t unused = 0;
  for (const RouteState& state : route_states_) unused += std::ranges::count(state.claimed, false);
  return static_cast<std::uint32_t>(unused);
}

}  // namespace retrylab::engine
