// SPDX-License-Identifier: MIT
// The data plane of one run: its listeners and connections on one event loop. Everything here
// belongs to the loop's thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "client_lib/base/result.h"
#include "server/net/arrival.h"
#include "server/net/certificates.h"
#include "server/net/clock.h"
#include "server/net/connection.h"
#include "server/net/door.h"
#include "server/net/event_loop.h"
#include "server/net/handler.h"
#include "server/net/listener.h"
#include "server/net/request_parser.h"
#include "server/net/tls.h"
#include "server/net/visitor.h"

namespace retrylab::net {

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       // 0: any free one
  std::uint32_t listeners = 1;  // more than one only with port 0
  std::uint32_t connections_max = 20'000;
  bool keeps_port = false;  // the handler's gate may be closed at times
  ParserLimits parser;
  // With them the server speaks TLS.
  std::shared_ptr<const Identities> tls;
  // Called at the end of every loop turn with events: after the engine has begun all attempts of
  // the turn, before the first byte of their answers. May be empty.
  std::function<void()> before_answers;
  // Receives what has to be said out loud: a limit reached, a machine in trouble.
  std::function<void(std::string_view)> say;
  // Null: every connection is this server's. Not with TLS. Outlives the server.
  Door* door = nullptr;
};

class Server final : public Poller::TurnBegin,
                     public Poller::TurnEnd,
                     public std::enable_shared_from_this<Server> {
 public:
  // Listening when this returns: clients can connect, and wait until serve(). `loop` outlives the
  // server. Errors: ErrorCode::machine with the address when a port is taken or not allowed.
  static Result<std::shared_ptr<Server>> listen(EventLoop& loop, Clock clock,
                                                ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // "http://127.0.0.1:PORT" or "https://...", one per listener.
  const std::vector<std::string>& urls() const { return urls_; }
  std::size_t open_connections() const { return connections_.size(); }

  // Begins to accept. Once. `handler` outlives stop().
  void serve(Handler& handler);

  // Closes the listeners and every connection, at once. Attempts under way stay unfinished.
  void stop();

  // Closes every connection, at once.
  void cut_connections();

  // Begins anew on the same ports, with another handler, another clock and connections counted
  // from one. There is no connection, and nothing refers to the old handler any more.
  void restart(Handler& handler, Clock clock);

  // A connection that was accepted on another port, of which nothing was read.
  void adopt(Socket socket, std::string client);

  // Connections that wait for an instant.
  std::size_t timers() const;

  // Hands the engine the ends of attempts that were put off. Before anybody asks for the journal.
  void catch_up();

  // ---- for the listeners and connections of this server ----
  Handler& handler() { return *handler_; }
  EventLoop& loop() { return loop_; }
  const Clock& clock() const { return clock_; }
  ArrivalClock& arrivals() { return arrivals_; }
  bool full() const { return connections_.size() + visitors_.size() >= options_.connections_max; }
  void accepted(Socket socket, std::uint32_t listener, std::string client);
  void let_in(Visitor& visitor, const std::string& head);
  void say(std::string_view text) const;
  // Null without TLS.
  const TlsContext* certificate(wire::ShowCertificate::Which which) const;

  // Connection::on_turn at the end of this turn, after before_answers().
  void turn(Connection& connection);
  // Connection::on_turn when nothing is due any more, at the latest before another request is read:
  // whoever has its answer finds the attempt over.
  void put_off(Connection& connection);
  // before_answers() at the end of this turn.
  void end_turn();
  std::unique_ptr<RequestParser> take_parser();
  void give_back(std::unique_ptr<RequestParser> parser);
  // Connection::on_released, once the engine says so.
  void await(wire::AttemptId attempt, Connection& connection);
  void stop_awaiting(wire::AttemptId attempt) { awaiting_.erase(attempt); }
  // After a connection's events: asks the engine whom it has released, and sees to the records.
  void settle();
  void ended(Connection& connection);

 private:
  Server(EventLoop& loop, Clock clock, ServerOptions options);
  Result<void> bind();
  Result<void> load_certificates();
  Result<Socket> listen_again(std::size_t listener) const;
  void mind_gate();
  void on_turn_begin() override { catch_up(); }
  void on_turn_end() override;
  void go_on_with_ends();
  void begin(Socket socket, wire::NewConnection connection);

  EventLoop& loop_;
  Clock clock_;
  Handler* handler_ = nullptr;
  ServerOptions options_;
  ArrivalClock arrivals_;
  std::vector<std::shared_ptr<const TlsContext>> certificates_;  // by kind; none without TLS
  std::vector<std::string> urls_;
  std::vector<Socket> bound_;    // until serve()
  std::vector<Socket> keepers_;  // one per listener: the port stays ours while nobody listens
  boost::asio::steady_timer gate_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::unordered_map<wire::ConnectionId, std::shared_ptr<Connection>> connections_;
  std::unordered_map<const Visitor*, std::unique_ptr<Visitor>> visitors_;
  wire::ConnectionId last_connection_ = 0;
  std::unordered_map<wire::AttemptId, std::weak_ptr<Connection>> awaiting_;
  std::vector<std::shared_ptr<Connection>> turns_;
  std::deque<std::shared_ptr<Connection>> put_off_;
  std::vector<std::shared_ptr<Connection>> buried_;  // ended in this turn; events may name them
  bool turn_ends_ = false;
  std::vector<std::unique_ptr<RequestParser>> parsers_;
  bool stopped_ = false;
};

}  // namespace retrylab::net
