// SPDX-License-Identifier: MIT
#include "server/net/server.h"

#include <algorithm>
#include <utility>

#include "client_lib/base/check.h"

namespace retrylab::net {
namespace {

// Ends of attempts handed to the engine before what is due meanwhile has its turn.
constexpr std::size_t kEndsAtOnce = 16;

}  // namespace

Server::Server(EventLoop& loop, Clock clock, ServerOptions options)
    : loop_(loop),
      clock_(clock),
      options_(std::move(options)),
      arrivals_(clock_),
      gate_(loop.io()) {}

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

Result<void> Server::load_certificates() {
  if (!options_.tls) return {};
  const Identities& all = *options_.tls;
  for (const Identity* one : {&all.right, &all.untrusted, &all.expired, &all.wrong_host}) {
    auto context = TlsContext::make(one->certificate, one->key);
    if (!context) return tl::unexpected(context.error());
    certificates_.push_back(std::move(*context));
  }
  return {};
}

const TlsContext* Server::certificate(wire::ShowCertificate::Which which) const {
  return certificates_.empty() ? nullptr : certificates_[static_cast<std::size_t>(which)].get();
}

Result<void> Server::bind() {
  if (auto loaded = load_certificates(); !loaded) return loaded;
  const std::string scheme = options_.tls ? "https://" : "http://";
  for (std::uint32_t number = 0; number < options_.listeners; ++number) {
    std::uint16_t port = options_.port;
    if (options_.keeps_port) {
      auto keeper = listen_on(options_.address, port, {.shares_port = true, .listens = false});
      if (!keeper) return tl::unexpected(keeper.error());
      port = local_port(*keeper);
      keepers_.push_back(std::move(*keeper));
    }
    auto socket = listen_on(options_.address, port, {.shares_port = options_.keeps_port});
    if (!socket) return tl::unexpected(socket.error());
    urls_.push_back(scheme + authority(options_.address, local_port(*socket)));
    bound_.push_back(std::move(*socket));
  }
  return {};
}

Result<Socket> Server::listen_again(std::size_t listener) const {
  return listen_on(options_.address, local_port(keepers_[listener]), {.shares_port = true});
}

// Opens or shuts the listeners as the handler says, and asks it again when that may change.
void Server::mind_gate() {
  if (!options_.keeps_port || stopped_) return;
  const wire::Gate gate = handler_->gate(clock_.now());
  for (std::size_t i = 0; i < listeners_.size(); ++i) {
    if (gate.open == !listeners_[i]->is_shut()) continue;
    if (!gate.open) {
      listeners_[i]->shut();
    } else if (auto socket = listen_again(i)) {
      listeners_[i]->open(std::move(*socket));
    } else {
      say("cannot listen again: " + socket.error().message);
    }
  }
  if (gate.until == kNever) return;
  gate_.expires_at(clock_.steady(gate.until));
  gate_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->mind_gate();
  });
}

void Server::serve(Handler& handler) {
  CHECK(handler_ == nullptr && !stopped_);
  handler_ = &handler;
  std::uint32_t number = 0;
  for (Socket& socket : std::exchange(bound_, {})) {
    listeners_.push_back(std::make_unique<Listener>(*this, std::move(socket), number++));
  }
  mind_gate();
}

void Server::stop() {
  if (std::exchange(stopped_, true)) return;
  gate_.cancel();
  for (const auto& listener : listeners_) listener->close();
  keepers_.clear();
  cut_connections();
  bound_.clear();
  // Events of this turn may still name the listeners and connections.
  loop_.post([self = shared_from_this()] {
    self->buried_.clear();
    self->listeners_.clear();
  });
}

void Server::cut_connections() {
  catch_up();
  while (!connections_.empty()) connections_.begin()->second->cut();
  turns_.clear();
  awaiting_.clear();
  visitors_.clear();
}

void Server::restart(Handler& handler, Clock clock) {
  CHECK(handler_ != nullptr && !stopped_ && connections_.empty());
  gate_.cancel();
  handler_ = &handler;
  clock_ = clock;
  arrivals_ = ArrivalClock(clock_);
  last_connection_ = 0;
  mind_gate();
}

std::size_t Server::timers() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      connections_, [](const auto& one) { return one.second->waits_for_time(); }));
}

void Server::accepted(Socket socket, std::uint32_t listener, std::string client) {
  if (options_.door == nullptr || !options_.door->leads_elsewhere()) {
    begin(std::move(socket), {.listener = listener, .client = std::move(client)});
    return;
  }
  auto visitor = std::make_unique<Visitor>(*this, std::move(socket), listener, std::move(client));
  if (visitor->start()) {
    const Visitor* const key = visitor.get();
    visitors_.emplace(key, std::move(visitor));
  } else {
    say("the kernel has no room to watch another connection");
  }
}

void Server::let_in(Visitor& visitor, const std::string& head) {
  const auto found = visitors_.find(&visitor);
  CHECK(found != visitors_.end());
  // Events of this turn may still name it.
  loop_.post([gone = std::shared_ptr<Visitor>(std::move(found->second))] {});
  visitors_.erase(found);
  Socket socket = visitor.take();
  if (options_.door->hand_over(head, socket.descriptor(), visitor.client())) {
    socket.release();
    return;
  }
  begin(std::move(socket), {.listener = visitor.listener(), .client = visitor.client()});
}

void Server::adopt(Socket socket, std::string client) {
  if (stopped_) return;
  if (full()) return say("a connection by the main port is turned away: the limit is reached");
  begin(std::move(socket), {.client = std::move(client), .by_other_port = true});
}

void Server::begin(Socket socket, wire::NewConnection description) {
  const wire::ConnectionId id = ++last_connection_;
  description.id = id;
  auto connection = std::make_shared<Connection>(
      *this, Channel(std::move(socket), certificate(wire::ShowCertificate::Which::right)), id);
  connections_.emplace(id, connection);
  wire::Plan plan = handler_->connected(description, clock_.now());
  if (!connection->start(std::move(plan))) {
    say("the kernel has no room to watch another connection");
    connection->cut();
  }
  mind_gate();
}

void Server::say(std::string_view text) const {
  if (options_.say) options_.say(text);
}

void Server::turn(Connection& connection) {
  turns_.push_back(connection.shared_from_this());
  end_turn();
}

void Server::put_off(Connection& connection) {
  if (put_off_.empty()) {
    loop_.poller().at_turn_begin(*this);
    loop_.post([self = shared_from_this()] { self->go_on_with_ends(); });
  }
  put_off_.push_back(connection.shared_from_this());
}

void Server::go_on_with_ends() {
  for (std::size_t i = 0; i < kEndsAtOnce && !put_off_.empty(); ++i) {
    const auto connection = std::move(put_off_.front());
    put_off_.pop_front();
    connection->on_turn();
  }
  if (put_off_.empty()) {
    loop_.poller().not_at_turn_begin(*this);
  } else {
    loop_.post([self = shared_from_this()] { self->go_on_with_ends(); });
  }
}

void Server::catch_up() {
  loop_.poller().not_at_turn_begin(*this);
  for (const auto& connection : std::exchange(put_off_, {})) connection->on_turn();
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
