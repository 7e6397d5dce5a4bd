// SPDX-License-Identifier: MIT
#include "server/sim/client_side.h"

#include <utility>

namespace retrylab::sim {

using wire::ConnectionId;

ClientSide::ClientSide(World& world, Client& client, std::uint32_t listener, std::uint64_t seed)
    : world_(world),
      client_(client),
      to_server_(Random::stream(seed, "network to server")),
      to_client_(Random::stream(seed, "network to client")),
      listener_(listener) {}

void ClientSide::start(Instant at) {
  world_.queue.at(
      at, [this] { next(nullptr); }, this);
}

void ClientSide::next(const Outcome* outcome) {
  const Instant now = world_.queue.now();
  const Move move = client_.next(outcome, now, world_.wall_origin + now.time_since_epoch());
  std::visit([this](const auto& one) { take(one); }, move);
}

void ClientSide::take(const Send& send) {
  if (send.fresh_connection || peer_closed_ || !usable_) close_connection();
  request_ = send.made ? send.made : std::make_shared<const VirtualRequest>(send);
  attempt_ = send.attempt;
  reader_.reset();
  ++ticket_;
  gives_up_ = send.timeout ? saturating_add(world_.queue.now(), *send.timeout) : kNever;
  set_timer();
  if (connection_ != 0) {
    send_request();
  } else {
    connect();
  }
}

void ClientSide::set_timer() {
  if (timer_at_ <= gives_up_) return;
  timer_at_ = gives_up_;
  world_.queue.at(
      timer_at_, [this] { timer(); }, this);
}

void ClientSide::timer() {
  const Instant now = world_.queue.now();
  if (now >= timer_at_) timer_at_ = kNever;
  if (!request_) return;
  if (now < gives_up_) return set_timer();
  settle(Outcome{Failure::timeout, {}, "no answer in time"});
}

void ClientSide::take(const SleepUntil& sleep) {
  world_.queue.at(
      sleep.at, [this] { next(nullptr); }, this);
}

void ClientSide::take(const Done& done) {
  world_.over();
  if (done.hangs) return;
  close_connection();
  done_ = true;
  success_ = done.success;
  ended_ = world_.queue.now();
}

// SYN one way, the answer to it the other.
void ClientSide::connect() {
  to_server_.renew();
  to_client_.renew();
  const std::optional<Instant> there = to_server_.arrival(world_.network, world_.queue.now());
  if (!there) return;  // its time limit ends the attempt
  world_.queue.at(*there, [this, ticket = ticket_] {
    if (ticket != ticket_ || !request_) return;  // it has given up meanwhile
    const ConnectionId connection = world_.refuses() ? 0 : world_.server.connect(*this, listener_);
    if (const auto back = to_client_.arrival(world_.network, world_.queue.now())) {
      world_.queue.at(*back, [this, ticket, connection] { connected(ticket, connection); });
    }
    if (connection != 0) world_.server.begin(connection);
  });
}

void ClientSide::connected(std::uint64_t ticket, ConnectionId connection) {
  if (ticket != ticket_ || !request_) {
    if (connection != 0) world_.server.peer_closed(connection);
    return;
  }
  if (connection == 0) return settle(Outcome{Failure::refused, {}, "connection refused"});
  connection_ = connection;
  peer_closed_ = false;
  usable_ = true;
  send_request();
}

void ClientSide::send_request() {
  const std::optional<Instant> there = to_server_.arrival(world_.network, world_.queue.now());
  if (!there) return;
  world_.queue.at(
      *there,
      [this, connection = connection_, request = request_, attempt = attempt_]() mutable {
        if (world_.arrived) world_.arrived(attempt);
        world_.server.receive(connection, std::move(request));
      },
      world_.server.state_of(connection_));
}

// What comes without a request stands before the answer to the next one.
void ClientSide::on_bytes(ConnectionId connection, std::string_view bytes) {
  if (connection != connection_) return;
  if (!request_) {
    usable_ = false;
  } else if (!reader_) {
    read_first(bytes);
  } else {
    settle_read(reader_->bytes(bytes));
  }
}

// Most answers come in one piece, and are the same as others.
void ClientSide::read_first(std::string_view bytes) {
  const bool to_head = request_->is_head();
  const SeenAnswers::Seen* seen = world_.answers.find(bytes, to_head);
  if (seen == nullptr) {
    reader_ = std::make_unique<ResponseReader>(to_head);
    std::optional<Outcome> outcome = reader_->bytes(bytes);
    if (!outcome || !outcome->answered()) return settle_read(outcome);
    seen = &world_.answers.keep(
        {std::string(bytes), to_head, reader_->keeps_alive(), std::move(*outcome)});
    reader_.reset();
  }
  usable_ = seen->keeps_alive;
  settle(seen->outcome);
}

void ClientSide::settle_read(const std::optional<Outcome>& outcome) {
  if (!outcome) return;
  usable_ = reader_->keeps_alive();
  settle(*outcome);
}

void ClientSide::on_fin(ConnectionId connection) {
  if (connection != connection_) return;
  peer_closed_ = true;
  if (!request_) return close_connection();
  if (!reader_) reader_ = std::make_unique<ResponseReader>(request_->is_head());
  settle_read(reader_->closed());
}

void ClientSide::on_reset(ConnectionId connection) {
  if (connection != connection_) return;
  connection_ = 0;
  if (!request_) return;
  if (!reader_) reader_ = std::make_unique<ResponseReader>(request_->is_head());
  settle_read(reader_->reset());
}

// An answer that ends the connection, or none at all: the connection is closed.
void ClientSide::settle(const Outcome& outcome) {
  request_.reset();
  reader_.reset();
  if (!outcome.answered() || !usable_) close_connection();
  next(&outcome);
}

void ClientSide::close_connection() {
  if (connection_ == 0) return;
  world_.queue.at(to_server_.arrival_in_the_end(world_.network, world_.queue.now()),
                  [this, connection = std::exchange(connection_, 0)] {
                    world_.server.peer_closed(connection);
                  });
}

void ClientSide::kill() {
  request_.reset();
  if (connection_ != 0) world_.server.peer_closed(std::exchange(connection_, 0));
}

journal::ClientEnd ClientSide::end() const {
  using Outcome = journal::ClientEnd::Outcome;
  journal::ClientEnd end;
  end.ended = done_ ? ended_ : world_.queue.now();
  end.outcome = success_ ? Outcome::success : Outcome::failure;
  if (done_) end.exit_code = success_ ? 0 : 1;
  if (!done_) end.outcome = Outcome::hung;
  return end;
}

}  // namespace retrylab::sim
