// SPDX-License-Identifier: MIT
#include "server/engine/engine.h"

#include <algorithm>

#include "client_lib/base/check.h"
#include "client_lib/base/sha256.h"
#include "server/engine/shared_answers.h"
#include "server/engine/state.h"

namespace retrylab::engine {
namespace {

bool always_one_step(const scenario::Route& route) {
  if (route.script.size() != 1 || route.after_script != scenario::AfterScript::repeat_last) {
    return false;
  }
  const scenario::Step& step = route.script.front();
  return !step.lasts && !step.lasts_until_retry_after && !step.chance;
}

}  // namespace

RouteState::RouteState(std::uint64_t seed, std::size_t index, const scenario::Route& route,
                       const scenario::Limits& limits)
    : on(route.on.text),
      counts_whole(route.count_by.kind == scenario::CountBy::Kind::route),
      has_store(route.idempotency.has_value()),
      has_limits(route.rate_limit || route.capacity),
      has_overrides(!route.overrides.empty()),
      creates(!route.creates.empty()),
      mentions_body(
          std::ranges::any_of(route.script, mentions_request_body) ||
          std::ranges::any_of(route.overrides, mentions_request_body, &scenario::Override::step)),
      claimed(route.script.size(), false),
      delay(Random::stream(seed, "delay", index)),
      service(Random::stream(seed, "service time", index)),
      chance(Random::stream(seed, "chance", index)),
      garbage(Random::stream(seed, "garbage", index)),
      resources(Random::stream(seed, "resource", index)) {
  for (const scenario::Step& step : route.script) steps.emplace_back(step.where);
  if (route.rate_limit) limiter.emplace(*route.rate_limit, limits.keys);
}

Engine::State::State(const scenario::Scenario& scenario, Options options,
                     journal::Recorder& recorder)
    : scenario_(scenario),
      options_(std::move(options)),
      recorder_(recorder),
      routes_(scenario.routes),
      connections_script_(scenario.connections),
      keys_(scenario.limits.keys),
      resources_(scenario.limits.resources),
      delay_(Random::stream(options_.seed, "delay without route")),
      garbage_(Random::stream(options_.seed, "garbage without route")),
      empty_body_(sha256({})) {
  route_states_.reserve(scenario.routes.size());
  SharedAnswers answers;
  for (std::size_t i = 0; i < scenario.routes.size(); ++i) {
    const scenario::Route& route = scenario.routes[i];
    RouteState& state = route_states_.emplace_back(options_.seed, i, route, scenario.limits);
    if (!always_one_step(route)) continue;
    state.only = &answers.of(route.script.front());
    state.only_place = state.steps.front();
  }
  if (scenario.clock == scenario::ClockZero::ready) start_clock(Instant());
}

void Engine::State::start_clock(Instant now) {
  if (zero_) return;
  zero_ = now;
  recorder_.set_zero(now);
}

// A host that was late to accept the first connection hears last of what arrived first: the kernel
// stamped its bytes before.
void Engine::State::set_clock_back(Instant first_byte) {
  if (scenario_.clock != scenario::ClockZero::first_connection || first_byte >= *zero_) return;
  zero_ = first_byte;
  recorder_.set_zero(first_byte);
}

const journal::Text& Engine::State::shared(journal::Text& last, std::string_view text) {
  if (!(last == text)) last = text;
  return last;
}

Live* Engine::State::find_live(AttemptId id) {
  const auto found = live_.find(id);
  return found == live_.end() ? nullptr : &found->second;
}

Live& Engine::State::new_attempt(const HeadEvent& event, Instant now) {
  start_clock(now);
  set_clock_back(event.first_byte);
  const AttemptId id = ++last_attempt_;
  Live& live = live_[id];
  live.connection = event.connection;
  live.minor_version = event.head.minor_version;
  live.keep_alive = event.head.keep_alive;
  live.record = std::make_unique<journal::Attempt>();
  journal::Attempt& record = *live.record;
  record.id = id;
  record.connection = event.connection;
  record.number_on_connection = event.number_on_connection;
  record.first_byte = event.first_byte;
  record.first_byte_from_kernel = event.first_byte_from_kernel;
  record.head_read = now;
  record.method = shared(last_method_, event.head.method);
  record.target = shared(last_target_, event.head.target);
  record.head = event.head.raw;
  if (OpenConnection* open = open_.find(event.connection)) {
    open->attempt = id;
    live.stream = open->stream;
    record.client = open->client;
    record.listener = open->listener;
  }
  if (journal::Connection* connection = recorder_.find_connection(event.connection)) {
    ++connection->requests;
  }
  return live;
}

Answer Engine::State::head_arrived(const HeadEvent& event, Instant now) {
  Live& live = new_attempt(event, now);
  const AttemptId id = live.record->id;
  Request request(event.head);
  const bool has_body = event.head.chunked || event.head.content_length.value_or(0) > 0;
  if (!has_body) request.set_body({});
  if (!has_body) read_body(live, {}, now);
  live.delay_from = event.arrived.value_or(now);
  OpenConnection* open = open_.find(live.connection);
  if (open != nullptr && !open->kills.empty()) return {id, kill_request(live, *open, request)};
  const Decided decided = decide(live, request, now);
  const bool expects_continue = event.head.expects_continue && has_body;
  return {id, read_request(live, request, decided, expects_continue, now)};
}

void Engine::State::read_body(Live& live, std::string_view body, Instant now) {
  live.record->body_read = now;
  live.record->body_bytes = body.size();
  live.record->body_sha256 = body.empty() ? empty_body_ : sha256(body);
}

wire::Plan Engine::State::body_complete(AttemptId id, BodyView body, Instant now) {
  Live* live = find_live(id);
  CHECK(live != nullptr && !live->begun());
  read_body(*live, body.bytes, now);
  live->delay_from = body.arrived.value_or(now);
  Request request(live->record->method, live->record->target, live->record->head);
  request.set_body(body.bytes);
  if (live->stage != Live::Stage::deciding) return answer(*live, request, now);
  live->decided_late = true;
  const Decided decided = decide(*live, request, now);
  if (decided == Decided::yes && live->decision.outage != nullptr) return outage_plan(*live);
  return after_request(*live, request, decided, now);
}

wire::Plan Engine::State::resume(AttemptId id, Instant now) {
  Live* live = find_live(id);
  if (live == nullptr) return {};
  Request request(live->record->method, live->record->target, live->record->head);
  request.set_body(live->body ? std::string_view(*live->body) : std::string_view());
  live->delay_from = now;
  if (live->stage == Live::Stage::awaiting_key) {
    return after_request(*live, request, decide_in_route(*live, request, now), now);
  }
  CHECK(live->stage == Live::Stage::delayed);
  leave_barrier(*live);
  const scenario::Step* step = live->decision.step;
  if (step != nullptr && step->executes_after_delay && executes(*live)) execute(*live, now);
  PlanBuilder builder(garbage_of(*live), live->stream);
  return finish_answer(*live, request, builder, now);
}

Answer Engine::State::malformed(const HeadEvent& event, int status, std::string_view problem,
                                Instant now) {
  Live& live = new_attempt(event, now);
  const AttemptId id = live.record->id;
  live.keep_alive = false;
  decide_problem(live, journal::Source::malformed, status, std::string(problem));
  const Request request(event.head);
  PlanBuilder builder(garbage_, {});
  return {id, finish_answer(live, request, builder, now)};
}

// The body turned out to be no body, or too large. Nothing is said where an answer is out already.
wire::Plan Engine::State::refuse_body(AttemptId id, int status, std::string_view problem,
                                      Instant now) {
  Live* live = find_live(id);
  if (live == nullptr || live->begun()) return {};
  release_key(*live);
  live->keep_alive = false;
  live->left_unread = false;
  decide_problem(*live, journal::Source::malformed, status, std::string(problem));
  live->decision.change = nullptr;
  const Request request(live->record->method, live->record->target, live->record->head);
  PlanBuilder builder(garbage_, live->stream);
  return finish_answer(*live, request, builder, now);
}

Engine::Engine(const scenario::Scenario& scenario, Options options, journal::Recorder& recorder)
    : state_(std::make_unique<State>(scenario, std::move(options), recorder)) {}

Engine::~Engine() = default;

wire::Plan Engine::connected(const NewConnection& connection, Instant now) {
  return state_->connected(connection, now);
}

Answer Engine::head_arrived(const HeadEvent& event, Instant now) {
  return state_->head_arrived(event, now);
}

wire::Plan Engine::body_complete(AttemptId attempt, BodyView body, Instant now) {
  return state_->body_complete(attempt, body, now);
}

wire::Plan Engine::refuse_body(AttemptId attempt, int status, std::string_view problem,
                               Instant now) {
  return state_->refuse_body(attempt, status, problem, now);
}

void Engine::idle_over(ConnectionId connection, std::size_t actions_done) {
  state_->idle_over(connection, actions_done);
}

wire::Gate Engine::gate(Instant now) {
  return state_->gate(now);
}

void Engine::paused(Instant from, Instant until, std::string_view why) {
  state_->paused(from, until, why);
}

wire::Plan Engine::resume(AttemptId attempt, Instant now) {
  return state_->resume(attempt, now);
}

wire::Plan Engine::finished(AttemptId attempt, const wire::Delivery& delivery, Instant now) {
  return state_->finished(attempt, delivery, now);
}

Answer Engine::malformed(const HeadEvent& event, int status, std::string_view problem,
                         Instant now) {
  return state_->malformed(event, status, problem, now);
}

void Engine::connection_failed(ConnectionId connection, std::string_view why) {
  state_->connection_failed(connection, why);
}

void Engine::disconnected(ConnectionId connection, journal::Connection::ClosedBy by,
                          std::uint64_t bytes_received, Instant now) {
  state_->disconnected(connection, by, bytes_received, now);
}

std::vector<AttemptId> Engine::take_released() {
  return state_->take_released();
}

std::optional<Instant> Engine::time_zero() const {
  return state_->time_zero();
}

std::uint32_t Engine::steps_unused() const {
  return state_->steps_unused();
}

}  // namespace retrylab::engine
