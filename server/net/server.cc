// SPDX-License-Identifier: MIT
#include "server/net/server.h"

#include <utility>

#include "client_lib/base/check.h"

namespace retrylab::net {

Server::Server(EventLoop& loop, Clock clock, ServerOptions options)
    : loop_(loop), clock_(clock), options_(std::move(options)), arrivals_(clock_) {}

Server::~Server() {
  CHECK(stopped_);
}

Result<std::shared_ptr<Server>> Server::listen(EventLoop& loop, Clock clock,
                                               ServerOptions options) {
  CHECK(options.listeners > 0 && (options.listeners == 1 || options.port == 0));
  std::shared_ptr<Server> server(new Server(loop, clock, std::move(options)));
  if (auto bound = server->bind(); !bound) {
    server->stop();
    return tl::unexpected(bound.error());
  }
  return server;
}

Result<void> Server::bind() {
  for (std::uint32_t number = 0; number < options_.listeners; ++number) {
    auto socket = listen_on(options_.address, options_.port);
    if (!socket) return tl::unexpected(socket.error());
    urls_.push_back("http://" + authority(options_.address, local_port(*socket)));
    bound_.push_back(std::move(*socket));
  }
  return {};
}

void Server::serve(Handler& handler) {
  CHECK(handler_ == nullptr && !stopped_);
  handler_ = &handler;
  std::uint32_t number = 0;
  for (Socket& socket : std::exchange(bound_, {})) {
    listeners_.push_back(std::make_unique<Listener>(*this, std::move(socket), number++));
  }
}

void Server::stop() {
  if (std::exchange(stopped_, true)) return;
  for (const auto& listener : listeners_) listener->close();
  while (!connections_.empty()) connections_.begin()->second->cut();
  bound_.clear();
  turns_.clear();
  awaiting_.clear();
  // Events of this turn may still name the listeners and connections.
  loop_.post([self = shared_from_this()] {
    self->buried_.clear();
    self->listeners_.clear();
  });
}

void Server::accepted(Socket socket, std::uint32_t listener, std::string client) {
  const wire::ConnectionId id = ++last_connection_;
  auto connection = std::make_shared<Connection>(*this, std::move(socket), id);
  connections_.emplace(id, connection);
  wire::Plan plan = handler_->connected(
      {.id = id, .listener = listener, .client = std::move(client)}, clock_.now());
  if (!connection->start(std::move(plan))) {
    say("the kernel has no room to watch another connection");
    connection->cut();
  }
}

void Server::say(std::string_view text) const {
  if (options_.say) options_.say(text);
}

void Server::turn(Connection& connection) {
  turns_.push_back(connection.shared_from_this());
  end_turn();
}

void Server::end_turn() {
  if (std::exchange(turn_ends_, true)) return;
  if (loop_.poller().in_turn()) {
    loop_.poller().at_turn_end(*this);
  } else {
    loop_.post([self = shared_from_this()] { self->on_turn_end(); });
  }
}

void Server::on_turn_end() {
  turn_ends_ = false;
  if (stopped_) return;
  if (options_.before_answers) options_.before_answers();
  for (const auto& connection : std::exchange(turns_, {})) connection->on_turn();
}

std::unique_ptr<RequestParser> Server::take_parser() {
  if (parsers_.empty()) return std::make_unique<RequestParser>(options_.parser);
  auto parser = std::move(parsers_.back());
  parsers_.pop_back();
  return parser;
}

void Server::give_back(std::unique_ptr<RequestParser> parser) {
  constexpr std::size_t kKept = 64;
  if (parsers_.size() >= kKept) return;
  parser->reset();
  parsers_.push_back(std::move(parser));
}

void Server::await(wire::AttemptId attempt, Connection& connection) {
  awaiting_.emplace(attempt, connection.weak_from_this());
}

void Server::settle() {
  if (options_.before_answers) end_turn();
  if (awaiting_.empty()) return;
  for (const wire::AttemptId attempt : handler_->take_released()) {
    const auto found = awaiting_.find(attempt);
    if (found == awaiting_.end()) continue;
    loop_.post([waiting = std::move(found->second)] {
      if (const auto connection = waiting.lock()) connection->on_released();
    });
    awaiting_.erase(found);
  }
}

void Server::ended(Connection& connection) {
  const auto found = connections_.find(connection.id());
  CHECK(found != connections_.end());
  if (buried_.empty() && !stopped_) {
    loop_.post([self = shared_from_this()] { self->buried_.clear(); });
  }
  buried_.push_back(std::move(found->second));
  connections_.erase(found);
}

}  // namespace retrylab::net
