// SPDX-License-Identifier: MIT
// The plan from the head to the request's end: faults while reading, 100 Continue, the body.
#include "server/engine/state.h"

namespace retrylab::engine {

using scenario::Fault;
using scenario::Moment;

namespace {

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

bool leaves_unread(const Fault& fault) {
  return std::holds_alternative<scenario::LeaveUnreadEffect>(fault.effect);
}

// `step` is null when it is not known yet, or none.
void add_continue(const scenario::Step* step, PlanBuilder& builder) {
  const scenario::Continue wanted = step != nullptr ? step->expect_continue : scenario::Continue{};
  if (wanted.withheld) return;
  if (wanted.after > Duration(0)) builder.add(wire::Hold{wanted.after});
  builder.add(wire::Write{std::string(kContinue)});
}

}  // namespace

wire::Plan Engine::State::read_request(Live& live, const Request& request, Decided decided,
                                       bool expects_continue, Instant now) {
  PlanBuilder builder(garbage_of(live), live.stream);
  if (decided == Decided::yes) {
    live.stage = Live::Stage::reading;
    if (live.decision.outage != nullptr) return outage_plan(live);
    add_request_headers_faults(live, builder);
    if (live.left_unread) return finish_answer(live, request, builder, now + builder.held());
  }
  if (expects_continue && builder.writable()) {
    add_continue(decided == Decided::yes ? live.decision.step : nullptr, builder);
  }
  if (decided == Decided::yes && !builder.ended()) {
    add_request_byte_faults(live, builder);
    if (live.left_unread) return finish_answer(live, request, builder, now + builder.held());
  }
  if (builder.ended()) return unanswered(live, builder);
  if (builder.size() == 0 && request.has_body()) return after_request(live, request, decided, now);
  builder.add(wire::ReadTo{});
  return hand_out(live, builder);
}

void Engine::State::add_request_headers_faults(Live& live, PlanBuilder& builder) {
  for (const Fault& fault : manner_of_live(live).faults) {
    if (fault.at != Moment::request_headers) continue;
    builder.add_fault(fault);
    live.left_unread = live.left_unread || leaves_unread(fault);
  }
}

void Engine::State::add_request_byte_faults(Live& live, PlanBuilder& builder) {
  for (const Fault& fault : manner_of_live(live).faults) {
    if (fault.at != Moment::request_byte) continue;
    builder.add(wire::ReadTo{wire::ReadTo::Place::body_byte, fault.byte});
    builder.add_fault(fault);
    live.left_unread = live.left_unread || leaves_unread(fault);
  }
}

// A fault ended the connection before the request's end: nothing is executed, the key is free.
wire::Plan Engine::State::unanswered(Live& live, PlanBuilder& builder) {
  release_key(live);
  describe_decision(live);
  live.record->planned.complete = false;
  wire::Plan plan = hand_out(live, builder);
  begin(live);
  return plan;
}

wire::Plan Engine::State::outage_plan(Live& live) {
  const bool hangs = live.decision.outage->what == scenario::Outage::Do::hang;
  PlanBuilder builder(garbage_of(live), live.stream);
  Fault fault;
  if (hangs) fault.effect = scenario::StallEffect{};
  builder.add_fault(fault);
  live.record->planned.faults = {hangs ? "hang by outage" : "close by outage"};
  return unanswered(live, builder);
}

}  // namespace retrylab::engine
