// SPDX-License-Identifier: MIT
#include "server/net/connection.h"

#include <sys/epoll.h>

#include <algorithm>
#include <utility>

#include "client_lib/base/check.h"
#include "server/net/server.h"

namespace retrylab::net {
namespace {

constexpr std::uint32_t kReads = EPOLLIN | EPOLLRDHUP | EPOLLET;

// Reads, requests and paced pieces that one connection gets before others have their turn.
constexpr int kBudgetPerTurn = 64;

// A FIN so soon behind a request is taken for a half-close: nobody gives up as fast.
constexpr Duration kHalfClosesWithin = std::chrono::milliseconds(5);

}  // namespace

Connection::Connection(Server& server, Channel channel, wire::ConnectionId id)
    : server_(server), channel_(std::move(channel)), id_(id) {}

bool Connection::start(wire::Plan plan) {
  if (!server_.loop().poller().add(channel_.descriptor(), kReads, *this)) return false;
  if (!plan.actions.empty()) follow(std::move(plan));
  advance();
  return true;
}

void Connection::on_ready(std::uint32_t events) {
  if (phase_ == Phase::closed) return;
  if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) may_read_ = true;
  if ((events & EPOLLERR) != 0) {  // comes with all other bits
    reset_ = true;
  } else if ((events & (EPOLLRDHUP | EPOLLHUP)) != 0) {
    note_fin();
  }
  switch (wait_) {
    case Wait::readable:
      if (may_read_) advance();
      return;
    case Wait::writable:
      if ((events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) advance();
      return;
    case Wait::time:
    case Wait::engine:
      notice_peer();
      return;
    case Wait::turn:
    case Wait::none:
      return;
  }
}

void Connection::on_turn() {
  if (wait_ == Wait::turn) advance();
}

void Connection::on_released() {
  if (wait_ != Wait::engine) return;
  stop_timer();
  deadline_ = server_.clock().now();
  advance();
}

// Never early, and perhaps for a wait that is over: the action looks at the clock itself.
void Connection::on_timer() {
  if (wait_ != Wait::time && wait_ != Wait::engine && phase_ != Phase::linger) return;
  due_ = true;
  advance();
  due_ = false;
}

void Connection::stop_timer() {
  if (timer_) timer_->cancel();
}

void Connection::cut() {
  if (phase_ != Phase::closed) end(wire::ClosedBy::server);
}

void Connection::advance() {
  budget_ = kBudgetPerTurn;
  wait_ = Wait::none;
  arrived_.reset();
  while (step()) {
  }
  CHECK(phase_ == Phase::closed || wait_ != Wait::none);
  keep_input();
  server_.settle();
}

// False when there is something to wait for, or nothing more to do.
bool Connection::step() {
  switch (phase_) {
    case Phase::plan:
      return run_action();
    case Phase::request:
      return read_request();
    case Phase::linger:
      return drain();
    case Phase::closed:
      return false;
  }
  return false;
}

bool Connection::wait(Wait what) {
  wait_ = what;
  if (what == Wait::writable && !watches_write_) {
    watches_write_ = true;
    server_.loop().poller().change(channel_.descriptor(), kReads | EPOLLOUT, *this);
  }
  return false;
}

bool Connection::yield_when_spent() {
  if (--budget_ > 0) return false;
  server_.turn(*this);
  wait(Wait::turn);
  return true;
}

bool Connection::wait_until(Instant at, Wait what) {
  if (phase_ == Phase::plan && peer_left()) return cut_short();
  if (std::exchange(fresh_, false)) server_.end_turn();
  wait(what);
  if (at == kNever) return false;
  if (!timer_) timer_ = std::make_unique<Timer>(server_.loop().io());
  timer_->expires_at(server_.clock().steady(at));
  timer_->async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->on_timer();
  });
  return false;
}

// While a plan waits, nothing is read: the peer's leaving shows in the events alone.
void Connection::notice_peer() {
  if (peer_left()) {
    cut_short();
    server_.settle();
  } else if (idles() && phase_ == Phase::plan && may_read_ &&
             std::holds_alternative<wire::WaitUntil>(plan_.actions[at_])) {
    stop_timer();
    end_idle_wait();
    advance();
  }
}

// A request has begun to arrive: the plan goes on where it speaks of that, or is over.
void Connection::end_idle_wait() {
  const auto from = plan_.actions.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto read = std::find_if(from, plan_.actions.end(), [](const wire::Action& action) {
    return std::holds_alternative<wire::ReadTo>(action);
  });
  if (read == plan_.actions.end()) {
    own_plan_over();
    phase_ = Phase::request;
    return;
  }
  at_ = static_cast<std::size_t>(read - plan_.actions.begin());
  since_.reset();
}

void Connection::own_plan_over() {
  if (std::exchange(own_plan_, false)) server_.handler().idle_over(id_, at_);
}

bool Connection::holds_for_ever() const {
  if (phase_ != Phase::plan || at_ >= plan_.actions.size()) return false;
  const auto* hold = std::get_if<wire::Hold>(&plan_.actions[at_]);
  return hold != nullptr && !hold->time;
}

void Connection::note_fin() {
  if (std::exchange(fin_, true)) return;
  fin_at_ = server_.clock().now();
  const bool answers = phase_ == Phase::plan && !idles();
  half_closed_ = half_closed_ || (answers && fin_at_ - input_read_ <= kHalfClosesWithin);
}

wire::ClosedBy Connection::peer_ended() const {
  return fin_ ? wire::ClosedBy::peer : wire::ClosedBy::peer_reset;
}

void Connection::end(wire::ClosedBy by) {
  own_plan_over();
  phase_ = Phase::closed;
  wait_ = Wait::none;
  stop_timer();
  channel_.close();
  plan_ = {};
  if (parser_) server_.give_back(std::move(parser_));
  if (attempt_ != 0) server_.stop_awaiting(attempt_);
  if (by != wire::ClosedBy::server) {
    if (const auto why = channel_.trouble(); !why.empty()) {
      server_.handler().connection_failed(id_, why);
    }
  }
  server_.handler().disconnected(id_, by, bytes_received_, server_.clock().now());
  server_.ended(*this);
}

bool Connection::read_request() {
  if (std::exchange(head_waits_, false)) return serve_read_head();
  if (input_.empty()) {
    const Fill filled = fill();
    if (filled == Fill::nothing) return wait(Wait::readable);
    if (filled == Fill::gone) return peer_gone_before_head();
  }
  if (yield_when_spent()) return false;
  if (!parser_) parser_ = server_.take_parser();
  const bool discards = parser_->state() == RequestParser::State::body;
  feed();
  if (discards) {  // the rest of a body that the last answer left unread
    if (parser_->state() != RequestParser::State::body) {
      const bool complete = parser_->state() == RequestParser::State::complete;
      server_.give_back(std::move(parser_));
      if (!complete) end(wire::ClosedBy::server);
    }
    return true;
  }
  return serve_read_head();
}

// What the parser has come to, to the engine.
bool Connection::serve_read_head() {
  switch (parser_->state()) {
    case RequestParser::State::head:
      return true;
    case RequestParser::State::body:
    case RequestParser::State::complete:
      return head_arrived();
    case RequestParser::State::refused:
      return malformed(parser_->status(), parser_->problem());
  }
  return true;
}

// Reads what the kernel has. Only the first bytes of a request are worth the kernel's stamp.
Connection::Fill Connection::fill() {
  if (!may_read_) return Fill::nothing;
  const std::span<char> buffer = server_.loop().buffer();
  const bool begins = !parser_ || parser_->untouched();
  const Transfer read = begins ? channel_.read_stamped(buffer) : channel_.read(buffer);
  switch (read.kind) {
    case Transfer::Kind::done:
      break;
    case Transfer::Kind::would_block:
    case Transfer::Kind::trouble:
      may_read_ = false;
      return Fill::nothing;
    case Transfer::Kind::end:
      note_fin();
      return Fill::gone;
    case Transfer::Kind::broken:
      reset_ = true;
      return Fill::gone;
  }
  // A short read has emptied the socket; what comes later is a new event. An end was one already.
  const bool emptied = read.bytes < buffer.size() && !channel_.reads_in_records();
  if (emptied && !fin_ && !reset_) may_read_ = false;
  bytes_received_ += read.bytes;
  input_ = {buffer.data(), read.bytes};
  const WallTime wall = read.arrived ? std::chrono::system_clock::now() : WallTime();
  input_read_ = server_.clock().now();
  arrived_ =
      read.arrived ? server_.arrivals().convert(*read.arrived, wall, input_read_) : std::nullopt;
  input_arrived_ = arrived_.value_or(input_read_);
  input_arrival_from_kernel_ = arrived_.has_value();
  return Fill::data;
}

void Connection::feed() {
  const bool untouched = parser_->untouched();
  input_.remove_prefix(parser_->feed(input_));
  if (!untouched || parser_->untouched()) return;
  first_byte_ = input_arrived_;
  first_byte_from_kernel_ = input_arrival_from_kernel_;
  // A further request in the same read may have come before: the stamp is that of the last byte.
  input_arrived_ = input_read_;
  input_arrival_from_kernel_ = false;
}

wire::HeadEvent Connection::head_event() const {
  return {.connection = id_,
          .number_on_connection = requests_,
          .first_byte = first_byte_,
          .first_byte_from_kernel = first_byte_from_kernel_,
          .arrived = arrived_,
          .head = parser_->head()};
}

bool Connection::head_arrived() {
  ++requests_;
  delivery_ = {};
  wire::Answer answer = server_.handler().head_arrived(head_event(), server_.clock().now());
  CHECK(answer.attempt != 0);
  attempt_ = answer.attempt;
  follow(std::move(answer.plan));
  return true;
}

bool Connection::malformed(int status, std::string_view problem) {
  ++requests_;
  delivery_ = {};
  wire::Answer answer =
      server_.handler().malformed(head_event(), status, problem, server_.clock().now());
  attempt_ = answer.attempt;
  follow(std::move(answer.plan));
  return true;
}

bool Connection::peer_gone_before_head() {
  const bool began =
      parser_ && parser_->state() == RequestParser::State::head && !parser_->untouched();
  if (!began) {
    end(reset_ ? wire::ClosedBy::peer_reset : wire::ClosedBy::peer);
    return false;
  }
  malformed(400, "the client left in the middle of the head");
  return reset_ ? cut_short() : true;
}

// The loop's buffer belongs to others while this connection waits.
void Connection::keep_input() {
  if (input_.empty()) {
    leftover_.reset();
    return;
  }
  if (phase_ == Phase::closed || phase_ == Phase::linger) {
    input_ = {};
    return;
  }
  const bool kept = leftover_ && input_.data() >= leftover_->data() &&
                    input_.data() < leftover_->data() + leftover_->size();
  if (kept) return;
  leftover_ = std::make_unique<std::string>(input_);
  input_ = *leftover_;
}

}  // namespace retrylab::net
