// SPDX-License-Identifier: MIT
// One accepted connection: reads requests, hands them to the engine, carries out the plans it
// answers with. A state machine that advances until it has to wait; while it waits it owns no
// buffer: what it reads goes through the loop's.
//
// phases:  plan     carries out wire actions
//          request  reads the next head
//          linger   the answer is out and so is our FIN: drains until the peer closes
//          closed
// A peer that leaves while a plan waits cuts the plan short. A FIN that came together with the
// request, or right behind it, does not, where an answer is still to come: it may be a half-close.
// If it was the end of the client after all, the first write finds out, and the FIN's time is when
// it left.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include "server/net/channel.h"
#include "server/net/clock.h"
#include "server/net/poller.h"
#include "server/net/request_parser.h"
#include "server/wire/request.h"

namespace retrylab::net {

class Server;

class Connection final : public Poller::Client, public std::enable_shared_from_this<Connection> {
 public:
  // `server` outlives the connection's end().
  Connection(Server& server, Channel channel, wire::ConnectionId id);

  // Begins with the engine's plan for new connections. False when the kernel has no room.
  [[nodiscard]] bool start(wire::Plan plan);
  void on_ready(std::uint32_t epoll_events) override;
  // Goes on at the end of a turn: the records are written out, or others had their share.
  void on_turn();
  // The engine has let the awaiting attempt go.
  void on_released();
  // Closes now, whatever was going on; an unfinished attempt stays unfinished.
  void cut();

  wire::ConnectionId id() const { return id_; }
  bool waits_for_time() const { return wait_ == Wait::time; }

 private:
  enum class Phase : std::uint8_t { plan, request, linger, closed };
  enum class Wait : std::uint8_t { none, readable, writable, time, engine, turn };
  enum class Fill : std::uint8_t { data, nothing, gone };

  // Life (connection.cc).
  void advance();
  bool step();
  bool wait(Wait what);
  bool yield_when_spent();
  bool wait_until(Instant at, Wait what);
  void on_timer();
  void stop_timer();
  void notice_peer();
  void end_idle_wait();
  bool request_waits();
  void note_fin();
  void end(wire::ClosedBy by);
  wire::ClosedBy peer_ended() const;

  // Reading requests (connection.cc).
  bool read_request();
  Fill fill();
  void feed();
  bool head_arrived();
  bool malformed(int status, std::string_view problem);
  bool peer_gone_before_head();
  wire::HeadEvent head_event() const;
  void keep_input();

  // Carrying out plans (connection_actions.cc, connection_writing.cc).
  void follow(wire::Plan plan);
  bool run_action();
  bool plan_over(bool keep_alive);
  bool cut_short();
  wire::Plan finish_attempt();
  bool next_action();
  bool answers_may_leave();
  bool act(const wire::WaitUntil& action);
  bool act(const wire::ReadTo& action);
  bool act(const wire::Write& action);
  bool act(const wire::WritePaced& action);
  bool act(const wire::KeepAlive& action);
  bool act(const wire::ShutdownWrite& action);
  bool act(const wire::Close& action);
  bool act(const wire::Reset& action);
  bool act(const wire::Hold& action);
  bool act(const wire::DiscardUnread& action);
  bool act(const wire::AskEngine& action);
  bool act(const wire::AwaitEngine& action);
  bool act(const wire::ShowCertificate& action);
  bool read_body_until(std::optional<std::uint64_t> bytes, bool& reached);
  bool wrote(const Transfer& transfer);
  bool drain();
  bool drained();
  void stamp_before_close();

  // A hold that never ends writes nothing more: whoever has sent a FIN waits for nothing.
  bool peer_left() const { return reset_ || (fin_ && (!half_closed_ || holds_for_ever())); }
  bool holds_for_ever() const;
  bool in_own_plan() const { return own_plan_ && phase_ == Phase::plan; }
  void own_plan_over();
  bool serve_read_head();
  bool read_next_request(bool whole, bool& reached);
  bool idles() const { return attempt_ == 0; }

  using Timer =
      boost::asio::basic_waitable_timer<Clock::Steady, boost::asio::wait_traits<Clock::Steady>,
                                        boost::asio::io_context::executor_type>;

  Server& server_;
  Channel channel_;
  wire::ConnectionId id_;
  std::unique_ptr<Timer> timer_;  // from the first wait for an instant on

  Phase phase_ = Phase::request;
  Wait wait_ = Wait::none;
  bool may_read_ = false;  // the kernel may have something since we last looked
  bool watches_write_ = false;
  bool fin_ = false;  // the peer's FIN is here, perhaps behind unread bytes
  bool reset_ = false;
  bool half_closed_ = false;  // the FIN came with the request
  bool own_plan_ = false;     // the plan is the connection's own, and not reported yet
  bool head_waits_ = false;   // a plan of its own has read a head that nobody has heard of
  bool fresh_ = false;        // the plan was made in this turn
  bool due_ = false;          // its time has come, as that of others may have
  int budget_ = 0;            // of this turn
  std::uint32_t requests_ = 0;
  std::uint64_t bytes_received_ = 0;

  std::string_view input_;  // read, not yet parsed; in the loop's buffer or in leftover_
  std::unique_ptr<std::string> leftover_;  // what has to outlast a wait: pipelined requests
  std::optional<Instant> arrived_;         // what was read since the last wait
  Instant input_read_;
  Instant input_arrived_;
  bool input_arrival_from_kernel_ = false;
  std::unique_ptr<RequestParser> parser_;  // only while a request is being read
  Instant fin_at_;
  Instant first_byte_;
  bool first_byte_from_kernel_ = false;

  wire::AttemptId attempt_ = 0;  // 0: the plan is the connection's own
  wire::Plan plan_;
  std::size_t at_ = 0;            // the action being carried out
  std::size_t offset_ = 0;        // bytes of that action written
  std::optional<Instant> since_;  // when that action began, for those that take time
  Instant deadline_;              // of an AwaitEngine
  wire::Delivery delivery_;
};

}  // namespace retrylab::net
