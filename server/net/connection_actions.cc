// SPDX-License-Identifier: MIT
// How a connection carries out each wire action. An act() returns true when the connection can
// go on, with the next action or in another phase, and false when there is something to wait for.
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <variant>

#include "client_lib/base/check.h"
#include "server/net/connection.h"
#include "server/net/server.h"

namespace retrylab::net {
namespace {

constexpr std::size_t kGathered = 16;
constexpr Duration kLinger = std::chrono::seconds(2);

// Where the head's last byte is: a lower bound when there is no blank line to be found.
std::size_t head_end(std::string_view bytes) {
  const auto blank = bytes.find("\r\n\r\n");
  return blank == std::string_view::npos ? 0 : blank + 4;
}

}  // namespace

void Connection::follow(wire::Plan plan) {
  plan_ = std::move(plan);
  at_ = 0;
  offset_ = 0;
  since_.reset();
  phase_ = Phase::plan;
  half_closed_ = fin_ && !idles();
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
  delivery_.actions_done = at_;
  server_.stop_awaiting(attempt_);
  return server_.handler().finished(std::exchange(attempt_, 0), delivery_, server_.clock().now());
}

// A plan that does not say what becomes of the connection closes it.
bool Connection::plan_over(bool keep_alive) {
  wire::Plan idle;
  if (attempt_ != 0) idle = finish_attempt();
  plan_ = {};
  if (!keep_alive) {
    end(wire::ClosedBy::server);
    return false;
  }
  if (parser_ && parser_->state() == RequestParser::State::body) {
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
    delivery_.peer_left = server_.clock().now();
  }
  const bool holds = at_ < plan_.actions.size() &&
                     std::holds_alternative<wire::Hold>(plan_.actions[at_]) &&
                     !std::get<wire::Hold>(plan_.actions[at_]).time;
  if (holds) ++at_;  // its end is the peer's leaving
  if (attempt_ != 0) finish_attempt();
  end(reset_ || fin_ ? peer_ended() : wire::ClosedBy::server);
  return false;
}

// The answers of a turn leave together at its end. By then the records of its attempts are written
// out; and a client that serves several connections is woken once, not once per answer.
bool Connection::answers_may_leave() {
  if (!std::exchange(fresh_, false)) return true;
  server_.turn(*this);
  return wait(Wait::turn);
}

bool Connection::act(const wire::WaitUntil& action) {
  if (server_.clock().now() >= action.at) return next_action();
  return wait_until(action.at, Wait::time);
}

bool Connection::act(const wire::Hold& action) {
  if (!since_) since_ = server_.clock().now();
  const Instant until = action.time ? saturating_add(*since_, *action.time) : kNever;
  if (server_.clock().now() >= until) return next_action();
  return wait_until(until, Wait::time);
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
      const Fill filled = input_.empty() ? fill() : Fill::data;
      if (filled == Fill::nothing) return wait(Wait::readable);
      return filled == Fill::gone ? cut_short() : next_action();
    }
    case wire::ReadTo::Place::body_byte:
      if (!read_body_until(action.byte, reached)) return false;
      return reached ? next_action() : true;
    case wire::ReadTo::Place::body_end:
      if (!read_body_until(std::nullopt, reached)) return false;
      if (!reached) return true;
      if (!parser_) return next_action();  // handed over before
      wire::Plan plan =
          server_.handler().body_complete(attempt_, {parser_->body()}, server_.clock().now());
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
      finish_attempt();
      return malformed(parser_->status(), parser_->problem());
    }
  }
}

bool Connection::act(const wire::Write&) {
  if (!answers_may_leave()) return false;
  std::array<iovec, kGathered> pieces;
  std::size_t count = 0;
  std::size_t skip = offset_;
  for (std::size_t i = at_; i < plan_.actions.size() && count < kGathered; ++i) {
    const auto* write = std::get_if<wire::Write>(&plan_.actions[i]);
    if (write == nullptr) break;
    // Earlier than the head's last byte is safe, should this call not get so far (RULES.md B0).
    if (write->completes_head && !delivery_.r_min) delivery_.r_min = server_.clock().now();
    const std::string_view bytes = write->bytes.view().substr(skip);
    skip = 0;
    pieces[count++] = {const_cast<char*>(bytes.data()), bytes.size()};  // sendmsg only reads
  }
  return wrote(socket_.write({pieces.data(), count}));
}

bool Connection::act(const wire::WritePaced& action) {
  if (!answers_may_leave()) return false;
  const std::string_view bytes = action.bytes.view();
  if (offset_ == bytes.size()) return next_action();
  const Instant now = server_.clock().now();
  if (!since_) since_ = now;
  const std::size_t piece = std::max<std::size_t>(action.piece, 1);
  const std::size_t number = offset_ / piece;
  const Instant due = saturating_add(
      *since_, saturating_multiply(action.interval, static_cast<std::int64_t>(number)));
  if (now < due) {
    return wait_until(due, Wait::time);
  }
  if (yield_when_spent()) return false;
  const std::size_t end = std::min((number + 1) * piece, bytes.size());
  if (action.completes_head && !delivery_.r_min && end >= head_end(bytes)) delivery_.r_min = now;
  const std::string_view part = bytes.substr(offset_, end - offset_);
  const iovec vector{const_cast<char*>(part.data()), part.size()};
  return wrote(socket_.write({&vector, 1}));
}

bool Connection::wrote(const Transfer& transfer) {
  switch (transfer.kind) {
    case Transfer::Kind::done:
    case Transfer::Kind::end:  // there were only empty pieces
      break;
    case Transfer::Kind::would_block:
      return wait(Wait::writable);
    case Transfer::Kind::broken:
      reset_ = true;
      return cut_short();
    case Transfer::Kind::trouble:
      delivery_.machine_trouble = true;
      return cut_short();
  }
  delivery_.r_max = server_.clock().now();
  delivery_.bytes += transfer.bytes;
  offset_ += transfer.bytes;
  while (at_ < plan_.actions.size()) {
    const auto* write = std::get_if<wire::Write>(&plan_.actions[at_]);
    if (write == nullptr || offset_ < write->bytes.size()) break;
    const std::size_t rest = offset_ - write->bytes.size();
    next_action();
    offset_ = rest;
  }
  return true;
}

bool Connection::act(const wire::KeepAlive&) {
  next_action();
  return plan_over(true);
}

bool Connection::act(const wire::ShutdownWrite&) {
  if (!answers_may_leave()) return false;
  stamp_before_close();
  socket_.shutdown_write();
  delivery_.r_max = server_.clock().now();
  return next_action();
}

bool Connection::act(const wire::Reset&) {
  if (!answers_may_leave()) return false;
  stamp_before_close();
  socket_.reset();
  delivery_.r_max = server_.clock().now();
  next_action();
  return plan_over(false);
}

bool Connection::act(const wire::Close& action) {
  if (!answers_may_leave()) return false;
  if (action.discard_unread && !drained()) return false;
  stamp_before_close();
  if (action.discard_unread) {
    socket_.shutdown_write();
    drained();  // what came in between
  }
  if (!action.staged) socket_.close();
  delivery_.r_max = server_.clock().now();
  next_action();
  if (!action.staged) return plan_over(false);
  if (attempt_ != 0) finish_attempt();
  plan_ = {};
  since_ = server_.clock().now();
  phase_ = Phase::linger;
  return true;
}

void Connection::stamp_before_close() {
  if (!delivery_.r_min) delivery_.r_min = server_.clock().now();
}

// Throws away what has come. False when it is more than one turn's share.
bool Connection::drained() {
  input_ = {};
  while (socket_.discard().kind == Transfer::Kind::done) {
    if (yield_when_spent()) return false;
  }
  return true;
}

bool Connection::drain() {
  input_ = {};
  for (;;) {
    const Transfer read = socket_.discard();
    const bool late = server_.clock().now() >= *since_ + kLinger;
    if (late || read.kind == Transfer::Kind::end || read.kind == Transfer::Kind::broken) {
      end(wire::ClosedBy::server);
      return false;
    }
    if (read.kind != Transfer::Kind::done) break;
    bytes_received_ += read.bytes;
    if (yield_when_spent()) return false;
  }
  return wait_until(*since_ + kLinger, Wait::readable);
}

}  // namespace retrylab::net
