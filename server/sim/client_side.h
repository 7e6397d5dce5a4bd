// SPDX-License-Identifier: MIT
// One virtual client: asks its Client for moves, sends its requests over virtual connections, and
// makes outcomes of what comes back.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "server/journal/record.h"
#include "server/sim/event_queue.h"
#include "server/sim/path.h"
#include "server/sim/response_reader.h"
#include "server/sim/seen_answers.h"
#include "server/sim/server_side.h"
#include "server/sim/virtual_run.h"

namespace retrylab::sim {

class ClientSide final : public Peer {
 public:
  // What all clients of a run share; outlives them.
  struct World {
    EventQueue& queue;
    ServerSide& server;
    Network network;
    WallTime wall_origin;
    std::function<bool()> refuses;  // the port is closed now
    std::function<void()> over;     // a client is done, or hangs
    // A request is at the server, with Send::attempt; may be empty.
    std::function<void(std::uint32_t attempt)> arrived;
    SeenAnswers answers;
  };
  // `client` outlives it too. `seed`: of the network's draws.
  ClientSide(World& world, Client& client, std::uint32_t listener, std::uint64_t seed = 1);

  void start(Instant at);
  // Stopped from outside: its connection is closed by its system.
  void kill();
  bool done() const { return done_; }
  // How it ended; hung when it has not.
  journal::ClientEnd end() const;

  std::optional<Instant> arrival(Instant now) override {
    return to_client_.arrival(world_.network, now);
  }
  void on_bytes(wire::ConnectionId connection, std::string_view bytes) override;
  void on_fin(wire::ConnectionId connection) override;
  void on_reset(wire::ConnectionId connection) override;

 private:
  void next(const Outcome* outcome);
  void take(const Send& send);
  void take(const SleepUntil& sleep);
  void take(const Done& done);
  void connect();
  void connected(std::uint64_t ticket, wire::ConnectionId connection);  // 0: refused
  void send_request();
  void read_first(std::string_view bytes);
  void settle_read(const std::optional<Outcome>& outcome);
  void settle(const Outcome& outcome);
  void close_connection();
  void set_timer();
  void timer();

  World& world_;
  Client& client_;
  Path to_server_;
  Path to_client_;
  wire::ConnectionId connection_ = 0;              // 0: none stands
  std::shared_ptr<const VirtualRequest> request_;  // on its way, or null
  std::unique_ptr<ResponseReader> reader_;         // of an answer that has come in part
  std::uint64_t ticket_ = 0;                       // of the request
  Instant gives_up_ = kNever;                      // on the request
  // The timer that is set; one serves many requests, and goes on to the time of the latest.
  Instant timer_at_ = kNever;
  Instant ended_;
  std::uint32_t listener_;
  std::uint32_t attempt_ = 0;
  bool peer_closed_ = false;  // its FIN has come
  bool usable_ = true;        // the last answer lets another request follow on the connection
  bool done_ = false;
  bool success_ = false;
};

}  // namespace retrylab::sim
