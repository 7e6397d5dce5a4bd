// SPDX-License-Identifier: MIT
// The server's end of every virtual connection: carries out the engine's plans in virtual time,
// as server/net does over sockets.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/engine/engine.h"
#include "server/sim/event_queue.h"
#include "server/sim/shared_texts.h"
#include "server/sim/virtual_request.h"

namespace retrylab::sim {

// The client's end of a connection. Called when the bytes, the FIN or the RST arrive there.
class Peer {
 public:
  virtual ~Peer() = default;
  // When what is sent to it now arrives; nothing: it is lost on the way.
  virtual std::optional<Instant> arrival(Instant now) = 0;
  virtual void on_bytes(wire::ConnectionId connection, std::string_view bytes) = 0;
  virtual void on_fin(wire::ConnectionId connection) = 0;
  virtual void on_reset(wire::ConnectionId connection) = 0;
};

class ServerSide {
 public:
  struct Timing {
    Duration lateness{0};  // of every planned instant
  };
  // All outlive the server side.
  ServerSide(EventQueue& queue, engine::Engine& engine, journal::Recorder& recorder, Timing timing);
  ~ServerSide();

  // A connection is made now; begin() accepts it, which may already end it.
  wire::ConnectionId connect(Peer& peer, std::uint32_t listener);
  void begin(wire::ConnectionId connection);
  // A whole request arrives now.
  void receive(wire::ConnectionId connection, std::shared_ptr<const VirtualRequest> request);
  // The client's FIN arrives now.
  void peer_closed(wire::ConnectionId connection);
  // What the next event of that connection will touch, for EventQueue::at.
  const void* state_of(wire::ConnectionId connection) const;

 private:
  struct Line;
  enum class Step { go_on, wait };

  void run(Line& line);
  Step act(Line& line, const wire::WaitUntil& action);
  Step act(Line& line, const wire::ReadTo& action);
  Step act(Line& line, const wire::Write& action);
  Step act(Line& line, const wire::WritePaced& action);
  Step act(Line& line, const wire::KeepAlive& action);
  Step act(Line& line, const wire::ShutdownWrite& action);
  Step act(Line& line, const wire::Close& action);
  Step act(Line& line, const wire::Reset& action);
  Step act(Line& line, const wire::Hold& action);
  Step act(Line& line, const wire::DiscardUnread& action);
  Step act(Line& line, const wire::AskEngine& action);
  Step act(Line& line, const wire::AwaitEngine& action);
  Step act(Line& line, const wire::ShowCertificate& action);

  Step next_action(Line& line);
  Step wait_until(Line& line, Instant at);
  Step ask_engine(Line& line);
  void follow(Line& line, wire::Plan plan);
  void write(Line& line, std::string_view bytes);
  wire::Plan finish_attempt(Line& line);
  void end(Line& line, journal::Connection::ClosedBy by);
  void plan_over(Line& line, bool keep_alive);
  void serve_next(Line& line);
  void serve_current(Line& line);
  void run_released();
  Step await_request(Line& line);
  // A request has come: the plan goes on where it speaks of that (true), or the request is served.
  bool end_idle_wait(Line& line);
  void idle_over(Line& line);
  // Over the network: `deliver` runs when it arrives at the client.
  template <typename Deliver>
  void send(const Line& line, Deliver deliver) {
    const std::optional<Instant> at = peer_of(line).arrival(queue_.now());
    if (!at) return;
    Peer& peer = peer_of(line);
    queue_.at(
        *at, [&peer, id = id_of(line), deliver = std::move(deliver)] { deliver(peer, id); }, &peer);
  }
  static Peer& peer_of(const Line& line);
  static wire::ConnectionId id_of(const Line& line);
  void stamp_before_close(Line& line);

  EventQueue& queue_;
  engine::Engine& engine_;
  journal::Recorder& recorder_;
  Timing timing_;
  static constexpr std::size_t kChunk = 64;
  Line& line_at(wire::ConnectionId id) const;
  wire::ConnectionId last_id_ = 0;
  std::vector<std::unique_ptr<Line[]>>
      lines_;  // by id, in chunks; NOLINT(modernize-avoid-c-arrays)
  std::unordered_map<wire::AttemptId, Line*> awaiting_;
  SharedTexts texts_;
};

}  // namespace retrylab::sim
