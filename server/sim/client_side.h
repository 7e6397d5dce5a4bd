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
#include "server/sim/server_side.h"
#include "server/sim/virtual_run.h"

namespace retrylab::sim {

class ClientSide final : public Peer {
 public:
  struct Setting {
    Network network;
    WallTime wall_origin;
    std::uint32_t listener = 0;
    std::function<bool()> refuses;  // the port is closed now
    std::function<void()> over;     // it is done, or hangs
    std::uint64_t seed = 1;         // of the network's draws
    // A request is at the server, with Send::attempt; may be empty.
    std::function<void(std::uint32_t attempt)> arrived;
  };
  // All outlive the client side.
  ClientSide(EventQueue& queue, ServerSide& server, Client& client, Setting setting);

  void start(Instant at);
  // Stopped from outside: its connection is closed by its system.
  void kill();
  bool done() const { return end_.has_value(); }
  // How it ended; hung when it has not.
  journal::ClientEnd end() const;

  std::optional<Instant> arrival(Instant now) override { return to_client_.arrival(now); }
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
  void settle(std::optional<Outcome> outcome);
  void close_connection();
  void time_out();

  EventQueue& queue_;
  ServerSide& server_;
  Client& client_;
  Setting setting_;
  Path to_server_;
  Path to_client_;
  wire::ConnectionId connection_ = 0;              // 0: none stands
  bool peer_closed_ = false;                       // its FIN has come
  std::shared_ptr<const VirtualRequest> request_;  // on its way, or null
  std::optional<ResponseReader> reader_;
  std::uint64_t ticket_ = 0;  // of the request; timers of earlier ones are void
  std::optional<journal::ClientEnd> end_;
};

}  // namespace retrylab::sim
