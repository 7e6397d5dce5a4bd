// SPDX-License-Identifier: MIT
// The limiters' part of a decision: rate_limit, then capacity. Both stand before the idempotency
// store, so that they consume no step and no key.
#include "client_lib/base/check.h"
#include "server/engine/state.h"

namespace retrylab::engine {

using journal::Source;

namespace {

std::string caller_of(const scenario::LimitBy& by, const Live& live, const Request& request) {
  switch (by.kind) {
    case scenario::LimitBy::Kind::route:
      return "";
    case scenario::LimitBy::Kind::client:
      return live.record->client;
    case scenario::LimitBy::Kind::header:
      return std::string(request.header(by.name).value_or(std::string_view()));
  }
  return "";
}

}  // namespace

// Asked once per attempt, however often it has to be decided again.
bool Engine::State::passes_rate_limit(Live& live, const Request& request, Instant now) {
  if (!state_of(live).has_limits) return true;
  const auto& rule = route_of(live).rate_limit;
  if (!rule || live.limit) return true;
  live.limit = std::make_unique<LimitState>();
  if (!state_of(live).limiter->ask(caller_of(rule->by, live, request), now, *live.limit)) {
    live.limit.reset();
    decide_limit(live, "callers of a rate limit");
    return false;
  }
  if (!live.limit->refused) return true;
  live.decision.source = Source::rate_limit;
  live.decision.step = &rule->refused;
  return false;
}

Engine::State::Decided Engine::State::decide_capacity(Live& live) {
  if (!state_of(live).has_limits) return Decided::yes;
  const auto& rule = route_of(live).capacity;
  if (!rule || live.place == Live::Place::held) return Decided::yes;
  if (live.place == Live::Place::queued) return Decided::waits;
  switch (state_of(live).places.enter(*rule, live.record->id)) {
    case Places::Found::place:
      live.place = Live::Place::held;
      return Decided::yes;
    case Places::Found::queue:
      live.place = Live::Place::queued;
      live.wait_until = kNever;
      return Decided::waits;
    case Places::Found::nothing:
      live.decision.source = Source::capacity;
      live.decision.step = &rule->shed;
      return Decided::yes;
  }
  return Decided::yes;
}

// The place goes straight to whoever waits longest: a newcomer cannot take it in between.
void Engine::State::leave_place(Live& live, AttemptId id) {
  if (live.place == Live::Place::queued) state_of(live).places.quit(id);
  if (live.place == Live::Place::held) {
    if (const auto next = state_of(live).places.leave()) {
      Live* heir = find_live(*next);
      CHECK(heir != nullptr);
      heir->place = Live::Place::held;
      wake({*next});
    }
  }
  live.place = Live::Place::none;
}

}  // namespace retrylab::engine
