// SPDX-License-Identifier: MIT
// The plan of the answer: execution, faults at the request's end, the delay, the answer's bytes.
#include "client_lib/base/check.h"
#include "client_lib/base/http_date.h"
#include "server/engine/content.h"
#include "server/engine/delay.h"
#include "server/engine/state.h"

namespace retrylab::engine {

using scenario::Fault;
using scenario::Moment;

namespace {

std::vector<const Fault*> writing_faults(const Manner& manner) {
  std::vector<const Fault*> faults;
  for (const Fault& fault : manner.faults) {
    if (scenario::phase(fault.at) == scenario::Phase::writing) faults.push_back(&fault);
  }
  return faults;
}

// The moments up to here are over; a decision that needed the body came too late for them.
bool has_reading_faults(const Manner& manner) {
  for (const Fault& fault : manner.faults) {
    if (fault.at == Moment::request_headers || fault.at == Moment::request_byte) return true;
  }
  return false;
}

// Stalls that stand between the delay and the first byte of the answer.
Duration held_at_start(const Manner& manner) {
  Duration held{0};
  for (const Fault& fault : manner.faults) {
    const auto* stall = std::get_if<scenario::StallEffect>(&fault.effect);
    if (fault.at == Moment::response_start && stall != nullptr) {
      held += stall->time.value_or(Duration(0));
    }
  }
  return held;
}

}  // namespace

wire::Plan Engine::State::after_request(Live& live, const Request& request, Decided decided,
                                        Instant now) {
  CHECK(decided != Decided::needs_body);
  if (decided == Decided::yes) return answer(live, request, now);
  live.stage = Live::Stage::awaiting_key;
  keep_body(live, request);
  PlanBuilder builder(garbage_of(live), live.stream);
  builder.add(wire::AwaitEngine{live.wait_until});
  return hand_out(live, builder);
}

wire::Plan Engine::State::answer(Live& live, const Request& request, Instant now) {
  note_payload(live);
  const bool after_delay =
      live.decision.step != nullptr && live.decision.step->executes_after_delay;
  if (!after_delay && executes(live)) execute(live, now);
  const Manner manner = manner_of_live(live);
  PlanBuilder builder(garbage_of(live), live.stream);
  for (const Fault& fault : manner.faults) {
    if (fault.at == Moment::request_end) builder.add_fault(fault);
  }
  if (!builder.ended()) live.delay = draw_wait(live, manner);
  if (builder.writable()) add_interim(live, request, builder, live.delay_from);
  // A wait counts from the request's arrival, however late this host was to read it.
  const Instant from = live.delay > Duration(0) ? live.delay_from : now;
  const Instant start = saturating_add(from, builder.held() + live.delay);
  if (builder.ended()) return finish_answer(live, request, builder, now + builder.held());
  if (holds_at_barrier(live)) {
    const auto& barrier = std::get<scenario::BarrierDelay>(*manner.delay);
    builder.add(wire::AwaitEngine{saturating_add(now, builder.held() + barrier.max)});
    return answer_later(live, request, builder);
  }
  if (live.delay > Duration(0)) builder.add(wire::WaitUntil{start});
  if (after_delay && start > now) {
    builder.add(wire::AskEngine{});
    return answer_later(live, request, builder);
  }
  if (after_delay && executes(live)) execute(live, now);
  return finish_answer(live, request, builder, start);
}

// The time of service, for which the attempt holds its place, and the delay after it.
Duration Engine::State::draw_wait(Live& live, const Manner& manner) {
  Duration wait{0};
  if (live.place == Live::Place::held && route_of(live).capacity->service_time) {
    wait = draw_delay(*route_of(live).capacity->service_time, scenario_.limits.delay,
                      state_of(live).service);
  }
  if (manner.delay == nullptr) return wait;
  return wait + draw_delay(*manner.delay, scenario_.limits.delay, delay_of(live));
}

void Engine::State::add_interim(const Live& live, const Request& request, PlanBuilder& builder,
                                Instant from) {
  if (live.decision.step == nullptr || live.minor_version == 0) return;
  for (const scenario::Interim& interim : live.decision.step->interim) {
    const Instant at = saturating_add(from, interim.after);
    const PlaceholderValues values{request, live.record->resource, live.number, options_.run_url,
                                   wall(at)};
    if (interim.after > Duration(0)) builder.add(wire::WaitUntil{at});
    builder.add(wire::Write{interim_bytes(interim, values)});
  }
}

wire::Plan Engine::State::answer_later(Live& live, const Request& request, PlanBuilder& builder) {
  live.stage = Live::Stage::delayed;
  keep_body(live, request);
  return hand_out(live, builder);
}

// Only where an answer shows it: a wait costs no buffer.
void Engine::State::keep_body(Live& live, const Request& request) {
  if (live.route && state_of(live).mentions_body) {
    live.body = std::make_unique<const std::string>(request.body());
  }
}

// Says whether this attempt has to wait; the last one to come frees all others.
bool Engine::State::holds_at_barrier(Live& live) {
  const Manner manner = manner_of_live(live);
  const auto* barrier =
      manner.delay == nullptr ? nullptr : std::get_if<scenario::BarrierDelay>(manner.delay);
  if (barrier == nullptr) return false;
  std::vector<AttemptId>& waiting = barriers_[manner.delay];
  if (waiting.size() + 1 >= barrier->waiting) {
    wake(std::move(waiting));
    waiting.clear();
    return false;
  }
  waiting.push_back(live.record->id);
  live.barrier = manner.delay;
  return true;
}

// A 2xx step executes the operation unless `executes` says otherwise; a request that was never
// whole executes nothing.
bool Engine::State::executes(const Live& live) const {
  const scenario::Step* step = live.decision.step;
  if (!live.decision.may_execute || step == nullptr || live.left_unread) return false;
  if (!step->executes) return step->status && *step->status >= 200 && *step->status < 300;
  const bool* said = std::get_if<bool>(&*step->executes);
  return said == nullptr || *said;
}

void Engine::State::execute(Live& live, Instant now) {
  const bool creates = state_of(live).creates;
  if (creates && resources_.full()) {
    decide_limit(live, "resources");
    return;
  }
  live.record->executed = true;
  if (!creates) return;
  const std::string& kind = route_of(live).creates;
  live.record->resource = resources_.create(kind, state_of(live).resources);
  journal::Resource resource;
  resource.kind = kind;
  resource.id = live.record->resource;
  resource.attempt = live.record->id;
  resource.key = live.record->key;
  resource.at = now;
  recorder_.add(std::move(resource));
}

wire::Plan Engine::State::finish_answer(Live& live, const Request& request, PlanBuilder& builder,
                                        Instant start) {
  const Manner manner = manner_of_live(live);
  const PlaceholderValues values{request, live.record->resource, live.number, options_.run_url,
                                 wall(start)};
  const scenario::Step* step = live.decision.step;
  Reply reply = make_reply(live, request, values, start);
  const bool is_last = is_last_on_connection(live);
  const MessageForm form{
      .head_request = request.method() == "HEAD",
      .minor_version = live.minor_version,
      .status_line_version = step != nullptr ? step->minor_version : 1,
      .keep_alive = live.keep_alive && !(is_last && scenario_.keep_alive.announced),
      .date = date_at(start),
      .replay_header = live.record->replayed
                           ? std::string_view(route_of(live).idempotency->replay_header)
                           : std::string_view()};
  Message message = make_message(reply, *manner.framing, form);
  const Shape shape{.keep_alive = message.keep_alive && !is_last,
                    .says_close = message.says_close,
                    .complete = message.complete,
                    .flaws = std::move(message.flaws)};
  live.fault_missed = live.fault_missed || message.flaw_missing ||
                      (live.decided_late && has_reading_faults(manner));
  if (!builder.ended()) builder.add_message(std::move(message), manner, writing_faults(manner));
  if (live.left_unread) {
    builder.add_end_unread(shape.keep_alive);
  } else {
    builder.add_end(shape.keep_alive);
  }
  if (shape.keep_alive && builder.writable()) note_kept_alive_faults(live, manner.faults);
  live.fault_missed = live.fault_missed || builder.moment_missing();
  if (step != nullptr && step->lasts_until_retry_after && live.decision.claimed) {
    live.count->position.announce(*live.decision.claimed,
                                  start + announced_wait(*step->retry_after, wall(start)));
  }
  describe_answer(live, reply, builder, shape);
  settle_key(live, std::move(reply), values, start + held_at_start(manner));
  live.stage = Live::Stage::planned;
  wire::Plan plan = hand_out(live, builder);
  begin(live);
  return plan;
}

// What the step says, or the server itself, with all that becomes of it on its way.
Reply Engine::State::make_reply(const Live& live, const Request& request,
                                const PlaceholderValues& values, Instant start) {
  const scenario::Step* step = live.decision.step;
  Reply reply = step != nullptr ? step_reply(*step, values) : *live.decision.reply;
  if (step != nullptr) {
    reduce_to_range(reply, step->ranges, request);
    if (step->encoding) encode(reply, *step->encoding);
  }
  if (live.limit) {
    for (const Header& line :
         told_headers(*route_of(live).rate_limit, *live.limit, start, values.now)) {
      reply.add_header(line.name, line.value);
    }
  }
  return reply;
}

bool Engine::State::is_last_on_connection(const Live& live) const {
  const auto& most = scenario_.keep_alive.requests;
  return most && live.record->number_on_connection >= *most;
}

void Engine::State::describe_answer(Live& live, const Reply& reply, const PlanBuilder& builder,
                                    const Shape& shape) {
  describe_decision(live);
  journal::Planned& planned = live.record->planned;
  planned.faults.insert(planned.faults.end(), shape.flaws.begin(), shape.flaws.end());
  planned.complete = builder.complete() && shape.complete;
  if (!builder.head_sent()) return;
  planned.status = reply.status;
  planned.retry_after = reply.retry_after;
  planned.location = reply.location;
  planned.connection_close = shape.says_close;
  planned.should_retry_false = reply.should_retry_false;
  planned.hints = reply.hints;
}

Manner Engine::State::manner_of_live(const Live& live) const {
  const Decision& decision = live.decision;
  const Manner manner = manner_of(decision.step != nullptr ? *decision.step : plain_);
  return decision.change == nullptr ? manner : changed_by(manner, *decision.change);
}

// Formatting a date costs more than the rest of a head, and it changes once a second.
std::string_view Engine::State::date_at(Instant at) {
  const auto second = std::chrono::floor<std::chrono::seconds>(wall(at).time_since_epoch());
  if (date_.empty() || second != date_second_) {
    date_second_ = second;
    date_ = format_http_date(WallTime(second));
  }
  return date_;
}

}  // namespace retrylab::engine
