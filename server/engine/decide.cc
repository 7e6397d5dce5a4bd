// SPDX-License-Identifier: MIT
// Who answers an attempt: route, outage, overrides, rate limit, capacity, idempotency, script, in
// this order (DESIGN.md section 4). Only the script's step is consumed.
#include <utility>

#include <fmt/format.h>

#include "server/engine/count_key.h"
#include "server/engine/outages.h"
#include "server/engine/state.h"

namespace retrylab::engine {

using journal::Source;

Engine::State::Decided Engine::State::decide(Live& live, const Request& request, Instant now) {
  if (!live.route && !find_route(live, request)) return Decided::needs_body;
  if (live.decision.source != Source::script) return Decided::yes;
  if (in_outage(live, now)) return Decided::yes;
  const OverrideFound found = override_of(live, request, now);
  if (found.needs_body) return Decided::needs_body;
  if (found.step != nullptr && found.step->status) {
    live.decision.source = Source::override_step;
    live.decision.step = found.step;
    live.decision.may_execute = true;
    return Decided::yes;
  }
  live.decision.change = found.step;
  return decide_in_route(live, request, now);
}

Engine::State::Decided Engine::State::decide_in_route(Live& live, const Request& request,
                                                      Instant now) {
  if (!passes_rate_limit(live, request, now)) return Decided::yes;
  const Decided place = decide_capacity(live);
  if (place != Decided::yes || live.decision.source != Source::script) return place;
  const Decided key = decide_key(live, request, now);
  if (key != Decided::yes || live.decision.source != Source::script) return key;
  claim_step(live, now);
  return Decided::yes;
}

bool Engine::State::find_route(Live& live, const Request& request) {
  const RouteFound found = routes_.find(request);
  if (found.needs_body) return false;
  if (found.route) return enter_route(live, *found.route, request);
  live.record->planned.near_misses = routes_.near_misses(request);
  live.decision.source = Source::unmatched;
  live.decision.reply = std::make_shared<Reply>(
      problem_reply(404, "no route of the scenario matches",
                    fmt::format("{} {}", request.method(), request.target().substr(0, 1000)),
                    live.record->planned.near_misses));
  return true;
}

void Engine::State::note_key(Live& live, std::size_t route, const Request& request) {
  live.record->route_has_store = route_states_[route].has_store;
  if (!live.record->route_has_store) return;
  live.record->key = request.header(scenario_.routes[route].idempotency->header).value_or("");
}

bool Engine::State::enter_route(Live& live, std::size_t index, const Request& request) {
  const scenario::Route& route = scenario_.routes[index];
  RouteState& state = route_states_[index];
  const bool whole = state.counts_whole;
  const CountedBy by{scenario_.operation, live.connection, live.record->client};
  auto operation = operation_value(scenario_.operation, route, request);
  const auto key = whole ? std::optional<std::string>("") : count_key(route, request, by);
  if (!operation || !key) return false;
  live.record->operation = std::move(*operation);
  note_key(live, index, request);
  live.route = index;
  live.decision.source = Source::script;
  ++state.serving;
  if (!whole && !state.counts.contains(*key)) {
    if (counts_ >= scenario_.limits.keys) {
      decide_limit(live, "counts of count_by");
      return true;
    }
    ++counts_;
  }
  live.count = whole ? &state.whole : &state.counts[*key];
  live.number = ++live.count->attempts;
  return true;
}

bool Engine::State::in_outage(Live& live, Instant now) {
  const scenario::Outage* outage = outage_at(scenario_.outages, elapsed(now));
  if (outage == nullptr || outage->what == scenario::Outage::Do::accept_and_hang) return false;
  live.decision.source = Source::outage;
  if (outage->what == scenario::Outage::Do::answer) {
    live.decision.step = &outage->answer;
  } else {
    live.decision.outage = outage;
  }
  return true;
}

OverrideFound Engine::State::override_of(const Live& live, const Request& request, Instant now) {
  if (!state_of(live).has_overrides) return {};
  const scenario::Route& route = route_of(live);
  Circumstances circumstances;
  circumstances.attempt = live.number;
  circumstances.connection = live.connection;
  circumstances.request_on_connection = live.record->number_on_connection;
  circumstances.elapsed = elapsed(now);
  circumstances.concurrency = state_of(live).serving;
  note_replay(live, request, now, circumstances);
  return find_override(route.overrides, circumstances, request);
}

void Engine::State::claim_step(Live& live, Instant now) {
  RouteState& state = state_of(live);
  if (state.only != nullptr) return claim_only_step(live, state);
  const scenario::Route& route = route_of(live);
  const auto claimed = live.count->position.claim(route, now);
  if (!claimed) {
    decide_problem(live, Source::after_script, 500, "the script of this route is over");
    return;
  }
  const scenario::Step* step = &route.script[*claimed];
  live.decision.claimed = claimed;
  state.claimed[*claimed] = true;
  live.decision.place = &state.steps[*claimed];
  if (step->chance && !state.chance.chance(*step->chance)) {
    step = step->otherwise.get();
    live.decision.place = nullptr;
  }
  live.decision.step = step;
  live.decision.may_execute = true;
  live.decision.may_store = true;
}

void Engine::State::claim_only_step(Live& live, RouteState& state) {
  if (!std::exchange(state.was_claimed, true)) state.claimed.front() = true;
  live.decision.claimed = 0;
  live.decision.step = state.only;
  live.decision.place = &state.only_place;
  live.decision.may_execute = true;
  live.decision.may_store = true;
}

void Engine::State::decide_problem(Live& live, Source source, int status, std::string detail) {
  live.decision.source = source;
  live.decision.step = nullptr;
  live.decision.may_execute = false;
  live.decision.may_store = false;
  live.record->planned.note = detail;
  live.decision.reply =
      std::make_shared<Reply>(problem_reply(status, reason_phrase(status), detail));
}

// DESIGN.md invariant 8: a limit is never silent.
void Engine::State::decide_limit(Live& live, std::string_view limit) {
  decide_problem(live, Source::capacity, 503, fmt::format("the limit on {} is reached", limit));
}

}  // namespace retrylab::engine
