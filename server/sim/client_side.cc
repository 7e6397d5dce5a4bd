// SPDX-License-Identifier: MIT
#include "server/sim/client_side.h"

#include <utility>

namespace retrylab::sim {

using wire::ConnectionId;

ClientSide::ClientSide(EventQueue& queue, ServerSide& server, Client& client, Setting setting)
    : queue_(queue),
      server_(server),
      client_(client),
      setting_(std::move(setting)),
      to_server_(setting_.network, Random::stream(setting_.seed, "network to server")),
      to_client_(setting_.network, Random::stream(setting_.seed, "network to client")) {}

void ClientSide::start(Instant at) {
  queue_.at(at, [this] { next(nullptr); });
}

void ClientSide::next(const Outcome* outcome) {
  const WallTime wall = setting_.wall_origin + queue_.now().time_since_epoch();
  const Move move = client_.next(outcome, queue_.now(), wall);
  std::visit([this](const auto& one) { take(one); }, move);
}

void ClientSide::take(const Send& send) {
  const bool unusable = peer_closed_ || (reader_ && !reader_->keeps_alive());
  if (send.fresh_connection || unusable) close_connection();
  request_ = std::make_shared<const VirtualRequest>(send);
  reader_.emplace(send.method == "HEAD");
  ++ticket_;
  if (send.timeout) {
    queue_.after(*send.timeout, [this, ticket = ticket_] {
      if (ticket == ticket_ && request_) time_out();
    });
  }
  if (connection_ != 0) {
    send_request();
  } else {
    connect();
  }
}

void ClientSide::take(const SleepUntil& sleep) {
  queue_.at(sleep.at, [this] { next(nullptr); });
}

void ClientSide::take(const Done& done) {
  setting_.over();
  if (done.hangs) return;
  close_connection();
  journal::ClientEnd end;
  end.exit_code = done.success ? 0 : 1;
  end.outcome =
      done.success ? journal::ClientEnd::Outcome::success : journal::ClientEnd::Outcome::failure;
  end.ended = queue_.now();
  end_ = end;
}

// SYN one way, the answer to it the other.
void ClientSide::connect() {
  to_server_.renew();
  to_client_.renew();
  const std::optional<Instant> there = to_server_.arrival(queue_.now());
  if (!there) return;  // its time limit ends the attempt
  queue_.at(*there, [this, ticket = ticket_] {
    if (ticket != ticket_ || !request_) return;  // it has given up meanwhile
    const ConnectionId connection =
        setting_.refuses() ? 0 : server_.connect(*this, setting_.listener);
    if (const auto back = to_client_.arrival(queue_.now())) {
      queue_.at(*back, [this, ticket, connection] { connected(ticket, connection); });
    }
    if (connection != 0) server_.begin(connection);
  });
}

void ClientSide::connected(std::uint64_t ticket, ConnectionId connection) {
  if (ticket != ticket_ || !request_) {
    if (connection != 0) server_.peer_closed(connection);
    return;
  }
  if (connection == 0) return settle(Outcome{Failure::refused, {}, "connection refused"});
  connection_ = connection;
  peer_closed_ = false;
  send_request();
}

void ClientSide::send_request() {
  const std::optional<Instant> there = to_server_.arrival(queue_.now());
  if (!there) return;
  queue_.at(*there, [this, connection = connection_, request = request_] {
    if (setting_.arrived) setting_.arrived(request->attempt());
    server_.receive(connection, request);
  });
}

void ClientSide::on_bytes(ConnectionId connection, std::string_view bytes) {
  if (connection != connection_ || !reader_) return;
  settle(reader_->bytes(bytes));
}

void ClientSide::on_fin(ConnectionId connection) {
  if (connection != connection_) return;
  peer_closed_ = true;
  if (request_) {
    settle(reader_->closed());
  } else {
    close_connection();
  }
}

void ClientSide::on_reset(ConnectionId connection) {
  if (connection != connection_) return;
  connection_ = 0;
  if (request_) settle(reader_->reset());
}

// An answer that ends the connection, or none at all: the connection is closed.
void ClientSide::settle(std::optional<Outcome> outcome) {
  if (!outcome || !request_) return;
  request_.reset();
  if (!outcome->answered() || !reader_->keeps_alive()) close_connection();
  next(&*outcome);
}

void ClientSide::time_out() {
  settle(Outcome{Failure::timeout, {}, "no answer in time"});
}

void ClientSide::close_connection() {
  if (connection_ == 0) return;
  queue_.at(
      to_server_.arrival_in_the_end(queue_.now()),
      [this, connection = std::exchange(connection_, 0)] { server_.peer_closed(connection); });
}

void ClientSide::kill() {
  request_.reset();
  if (connection_ != 0) server_.peer_closed(std::exchange(connection_, 0));
}

journal::ClientEnd ClientSide::end() const {
  if (end_) return *end_;
  journal::ClientEnd end;
  end.outcome = journal::ClientEnd::Outcome::hung;
  end.ended = queue_.now();
  return end;
}

}  // namespace retrylab::sim
