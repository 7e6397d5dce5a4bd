// SPDX-License-Identifier: MIT
// How a connection carries out each wire action. An act() returns true when the connection can
// go on, with the next action or in another phase, and false when there is something to wait for.
//
// Here: plans, waits, reading and the engine's part. Bytes and endings are in
// connection_writing.cc.
#include <utility>
#include <variant>

#include "client_lib/base/check.h"
#include "server/net/connection.h"
#include "server/net/server.h"

namespace retrylab::net {

void Connection::follow(wire::Plan plan) {
  plan_ = std::move(plan);
  at_ = 0;
  offset_ = 0;
  since_.reset();
  phase_ = Phase::plan;
  half_closed_ = fin_ && !idles();
  own_plan_ = idles();
  fresh_ = true;
}

bool Connection::run_action() {
  if (at_ == plan_.actions.size()) return plan_over(idles());
  return std::visit([this](const auto& action) { return act(action); }, plan_.actions[at_]);
}

bool Connection::next_action() {
  ++at_;
  offset_ = 0;
  since_.reset();
  return true;
}

wire::Plan Connection::finish_attempt() {
  arrived_.reset();  // a further request has come in the same read, and waited here
  delivery_.actions_done = at_;
  server_.stop_awaiting(attempt_);
  return server_.handler().finished(std::exchange(attempt_, 0), delivery_, server_.clock().now());
}

// A plan that does not say what becomes of the connection closes it.
bool Connection::plan_over(bool keep_alive) {
  wire::Plan idle;
  const bool was_idle = idles();
  own_plan_over();
  if (!was_idle) idle = finish_attempt();
  plan_ = {};
  if (!keep_alive) {
    end(wire::ClosedBy::server);
    return false;
  }
  if (was_idle) {
    head_waits_ =
        parser_ && !parser_->discards_body() && parser_->state() != RequestParser::State::head;
  } else if (parser_ && parser_->state() == RequestParser::State::body) {
    parser_->discard_body();
  } else if (parser_) {
    server_.give_back(std::move(parser_));
  }
  phase_ = Phase::request;
  if (!idle.actions.empty()) follow(std::move(idle));
  return true;
}

// The peer left, or nothing can be written any more.
bool Connection::cut_short() {
  if (reset_ || fin_) {
    delivery_.peer = fin_ ? wire::Delivery::Peer::closed : wire::Delivery::Peer::reset;
    delivery_.peer_left = fin_ ? fin_at_ : server_.clock().now();
  }
  if (holds_for_ever()) ++at_;  // its end is the peer's leaving
  if (attempt_ != 0) finish_attempt();
  end(reset_ || fin_ ? peer_ended() : wire::ClosedBy::server);
  return false;
}

// Bytes that came while the last plan was carried out are no event any more.
bool Connection::request_waits() {
  if (!input_.empty()) return true;
  return may_read_ && fill() != Fill::nothing;
}

bool Connection::act(const wire::WaitUntil& action) {
  if (idles() && request_waits()) {
    end_idle_wait();
    return true;
  }
  if (server_.clock().now() >= action.at) return next_action();
  return wait_until(action.at, Wait::time);
}

bool Connection::act(const wire::Hold& action) {
  if (!since_) since_ = server_.clock().now();
  const Instant until = action.time ? saturating_add(*since_, *action.time) : kNever;
  if (server_.clock().now() >= until) return next_action();
  return wait_until(until, Wait::time);
}

bool Connection::act(const wire::ShowCertificate& action) {
  channel_.show(server_.certificate(action.which));
  return next_action();
}

bool Connection::act(const wire::AskEngine&) {
  follow(server_.handler().resume(attempt_, server_.clock().now()));
  return true;
}

bool Connection::act(const wire::AwaitEngine& action) {
  if (!since_) {
    since_ = server_.clock().now();
    deadline_ = action.until;
    server_.await(attempt_, *this);
  }
  if (server_.clock().now() < deadline_) {
    return wait_until(deadline_, Wait::engine);
  }
  server_.stop_awaiting(attempt_);
  follow(server_.handler().resume(attempt_, server_.clock().now()));
  return true;
}

bool Connection::act(const wire::ReadTo& action) {
  bool reached = false;
  switch (action.place) {
    case wire::ReadTo::Place::request_start: {
      // Beneath TLS the first bytes of a connection are those of its handshake.
      if (channel_.awaits_handshake()) return may_read_ ? next_action() : wait(Wait::readable);
      const Fill filled = input_.empty() ? fill() : Fill::data;
      if (filled == Fill::nothing) return wait(Wait::readable);
      return filled == Fill::gone ? cut_short() : next_action();
    }
    case wire::ReadTo::Place::head_end:
      if (!read_next_request(false, reached)) return false;
      return reached ? next_action() : true;
    case wire::ReadTo::Place::body_byte:
      if (!read_body_until(action.byte, reached)) return false;
      return reached ? next_action() : true;
    case wire::ReadTo::Place::body_end:
      if (idles()) {
        if (!read_next_request(true, reached)) return false;
        return reached ? next_action() : true;
      }
      if (!read_body_until(std::nullopt, reached)) return false;
      if (!reached) return true;
      if (!parser_) return next_action();  // handed over before
      wire::Plan plan = server_.handler().body_complete(attempt_, {parser_->body(), arrived_},
                                                        server_.clock().now());
      server_.give_back(std::move(parser_));
      follow(std::move(plan));
      return true;
  }
  return true;
}

bool Connection::act(const wire::DiscardUnread&) {
  if (parser_) parser_->discard_body();
  bool reached = false;
  if (!read_body_until(std::nullopt, reached)) return false;
  return reached ? next_action() : true;
}

// True when the connection can go on: the place was reached, or the plan is another.
bool Connection::read_body_until(std::optional<std::uint64_t> bytes, bool& reached) {
  for (;;) {
    reached = !parser_ || parser_->state() != RequestParser::State::body ||
              (bytes && parser_->body().size() >= *bytes);
    if (reached) return true;
    if (input_.empty()) {
      const Fill filled = fill();
      if (filled == Fill::nothing) return wait(Wait::readable);
      if (filled == Fill::gone) return cut_short();
    }
    if (yield_when_spent()) return false;
    feed();
    if (parser_->state() == RequestParser::State::refused) {
      wire::Plan plan = server_.handler().refuse_body(attempt_, parser_->status(),
                                                      parser_->problem(), server_.clock().now());
      server_.give_back(std::move(parser_));
      if (plan.actions.empty()) return plan_over(false);
      follow(std::move(plan));
      return true;
    }
  }
}

// The head of the next request, or all of it, for a plan of the connection's own. Bytes that are no
// request are enough, too. True as read_body_until().
bool Connection::read_next_request(bool whole, bool& reached) {
  for (;;) {
    const bool old = parser_ && parser_->discards_body();  // the last request's, left unread
    if (old && parser_->state() != RequestParser::State::body)
      server_.give_back(std::move(parser_));
    const auto state = parser_ && !old ? parser_->state() : RequestParser::State::head;
    const bool has_head = state != RequestParser::State::head;
    reached = has_head && (!whole || state != RequestParser::State::body);
    if (reached) return true;
    if (input_.empty()) {
      const Fill filled = fill();
      if (filled == Fill::nothing) return wait(Wait::readable);
      if (filled == Fill::gone) return cut_short();
    }
    if (yield_when_spent()) return false;
    if (!parser_) parser_ = server_.take_parser();
    feed();
  }
}

// Where an answer was due, others may be: their bytes come before the records of this one.
bool Connection::act(const wire::KeepAlive&) {
  if (std::exchange(due_, false)) {
    server_.put_off(*this);
    return wait(Wait::turn);
  }
  next_action();
  return plan_over(true);
}

}  // namespace retrylab::net
