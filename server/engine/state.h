// SPDX-License-Identifier: MIT
// The engine's inside. The order of the files is the order of an attempt's life: decide.cc (who
// answers, in the order of DESIGN.md section 4), reading.cc (the plan up to the request's end),
// answer.cc (the plan of the answer), settle.cc (what became of it).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/engine/connections_script.h"
#include "server/engine/engine.h"
#include "server/engine/key_store.h"
#include "server/engine/live.h"
#include "server/engine/numbered.h"
#include "server/engine/overrides.h"
#include "server/engine/request.h"
#include "server/engine/resources.h"
#include "server/engine/route_table.h"

namespace retrylab::engine {

class Engine::State {
 public:
  State(const scenario::Scenario& scenario, Options options, journal::Recorder& recorder);

  // The events of engine.h.
  wire::Plan connected(const NewConnection& connection, Instant now);
  Answer head_arrived(const HeadEvent& event, Instant now);
  wire::Plan body_complete(AttemptId attempt, BodyView body, Instant now);
  wire::Plan refuse_body(AttemptId attempt, int status, std::string_view problem, Instant now);
  wire::Plan resume(AttemptId attempt, Instant now);
  void idle_over(ConnectionId connection, std::size_t actions_done);
  wire::Gate gate(Instant now);
  void paused(Instant from, Instant until, std::string_view why);
  wire::Plan finished(AttemptId attempt, const wire::Delivery& delivery, Instant now);
  Answer malformed(const HeadEvent& event, int status, std::string_view problem, Instant now);
  void connection_failed(ConnectionId connection, std::string_view why);
  void disconnected(ConnectionId connection, journal::Connection::ClosedBy by,
                    std::uint64_t bytes_received, Instant now);
  std::vector<AttemptId> take_released();
  std::optional<Instant> time_zero() const { return zero_; }
  std::uint32_t steps_unused() const;

 private:
  enum class Decided { yes, needs_body, waits };

  // engine.cc
  Live& new_attempt(const HeadEvent& event, Instant now);
  Live* find_live(AttemptId id);
  // The text before, where it is the same: most requests are like the one before them.
  static const journal::Text& shared(journal::Text& last, std::string_view text);
  void read_body(Live& live, std::string_view body, Instant now);
  void start_clock(Instant now);
  void set_clock_back(Instant first_byte);
  Duration elapsed(Instant now) const { return zero_ ? now - *zero_ : Duration(0); }
  WallTime wall(Instant at) const { return options_.wall_origin + at.time_since_epoch(); }
  const scenario::Route& route_of(const Live& live) const { return scenario_.routes[*live.route]; }
  RouteState& state_of(const Live& live) { return route_states_[*live.route]; }
  Random& garbage_of(const Live& live) { return live.route ? state_of(live).garbage : garbage_; }
  Random& delay_of(const Live& live) { return live.route ? state_of(live).delay : delay_; }

  // decide.cc
  Decided decide(Live& live, const Request& request, Instant now);
  Decided decide_in_route(Live& live, const Request& request, Instant now);
  // Both say no when the body has to be read first.
  bool find_route(Live& live, const Request& request);
  void note_key(Live& live, std::size_t route, const Request& request);
  bool enter_route(Live& live, std::size_t route, const Request& request);
  bool in_outage(Live& live, Instant now);
  OverrideFound override_of(const Live& live, const Request& request, Instant now);
  void claim_step(Live& live, Instant now);
  static void claim_only_step(Live& live, RouteState& state);
  void decide_problem(Live& live, journal::Source source, int status, std::string detail);
  void decide_limit(Live& live, std::string_view limit);

  // decide_limits.cc
  bool passes_rate_limit(Live& live, const Request& request, Instant now);
  Decided decide_capacity(Live& live);
  void leave_place(Live& live, AttemptId id);

  // decide_key.cc
  Decided decide_key(Live& live, const Request& request, Instant now);
  Decided decide_known_key(Live& live, KeyEntry& entry, const Request& request, Instant now);
  bool same_payload(const Live& live, const KeyEntry& entry) const;
  void note_replay(const Live& live, const Request& request, Instant now, Circumstances& now_seen);
  void note_payload(const Live& live);
  void settle_key(Live& live, Reply reply, const PlaceholderValues& values, Instant ready);
  void release_key(Live& live);
  void wake(std::vector<AttemptId> waiting);

  // reading.cc
  wire::Plan read_request(Live& live, const Request& request, Decided decided,
                          bool expects_continue, Instant now);
  void add_request_headers_faults(Live& live, PlanBuilder& builder);
  void add_request_byte_faults(Live& live, PlanBuilder& builder);
  wire::Plan outage_plan(Live& live);
  wire::Plan unanswered(Live& live, PlanBuilder& builder);

  // answer.cc
  wire::Plan after_request(Live& live, const Request& request, Decided decided, Instant now);
  wire::Plan answer(Live& live, const Request& request, Instant now);
  wire::Plan answer_later(Live& live, const Request& request, PlanBuilder& builder);
  // The answer starts at `start`, once everything in `builder` is over.
  wire::Plan finish_answer(Live& live, const Request& request, PlanBuilder& builder, Instant start);
  void keep_body(Live& live, const Request& request);
  // The answers before the answer; they count from the request's end.
  void add_interim(const Live& live, const Request& request, PlanBuilder& builder, Instant from);
  Reply make_reply(const Live& live, const Request& request, const PlaceholderValues& values,
                   Instant start);
  bool is_last_on_connection(const Live& live) const;
  bool holds_at_barrier(Live& live);
  Duration draw_wait(Live& live, const Manner& manner);
  bool executes(const Live& live) const;
  void execute(Live& live, Instant now);
  struct Shape {  // what was made of the reply
    bool keep_alive = true;
    bool says_close = false;
    bool complete = true;
    std::vector<std::string> flaws;
  };
  void describe_answer(Live& live, const Reply& reply, const PlanBuilder& builder,
                       const Shape& shape);
  std::string_view date_at(Instant at);
  Manner manner_of_live(const Live& live) const;

  // settle.cc
  wire::Plan hand_out(Live& live, PlanBuilder& builder);
  void begin(Live& live);
  void hand_to_journal(Live& live);
  void begin_unplanned(Live& live);
  static journal::Text place_of(const Live& live);
  void describe_decision(Live& live);
  static void describe_delivery(const Live& live, bool planned, const wire::Delivery& delivery,
                                journal::Attempt& record);
  void leave_route(Live& live);
  void leave_barrier(Live& live);
  wire::Plan idle_after(const Live& live, Instant now);

  // connections.cc
  bool is_down(scenario::Outage::Do how, Instant now) const;
  void add_idle_limit(PlanBuilder& builder, Instant now) const;
  static wire::Plan hand_out_idle(OpenConnection& open, PlanBuilder& builder);
  wire::Plan idle_plan(OpenConnection& open, std::span<const scenario::Fault> faults, Instant now);
  void note_kept_alive_faults(Live& live, std::span<const scenario::Fault> faults);
  wire::Plan kill_request(Live& live, OpenConnection& open, const Request& request);
  wire::Gate note_gate(wire::Gate gate, std::string_view why, Instant now);

  const scenario::Scenario& scenario_;
  const Options options_;
  journal::Recorder& recorder_;
  const RouteTable routes_;
  const scenario::Step plain_;  // the delivery of the server's own answers
  std::vector<RouteState> route_states_;
  ConnectionsScript connections_script_;
  KeyStore keys_;
  Resources resources_;
  std::optional<Instant> zero_;
  Instant closed_until_;  // the port, by the scenario: what the journal has of it
  AttemptId last_attempt_ = 0;
  std::uint64_t counts_ = 0;  // of all routes, bounded as keys are
  std::unordered_map<AttemptId, Live> live_;
  Numbered<OpenConnection> open_;
  std::vector<AttemptId> released_;
  std::unordered_map<const scenario::Delay*, std::vector<AttemptId>> barriers_;
  Random delay_;             // where no route is known: outages have none
  Random garbage_;           // where no route is known
  const Sha256 empty_body_;  // most requests have none
  journal::Text last_client_;
  journal::Text last_method_;
  journal::Text last_target_;
  std::chrono::seconds date_second_{0};
  std::string date_;
};

}  // namespace retrylab::engine
