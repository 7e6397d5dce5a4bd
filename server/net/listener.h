// SPDX-License-Identifier: MIT
// One listening socket: accepts until nobody waits, and pauses, aloud, when this process has no
// descriptors left or the run no more connections.
#pragma once

#include <cstdint>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "client_lib/base/time.h"
#include "server/net/poller.h"
#include "server/net/socket.h"

namespace retrylab::net {

class Server;

class Listener final : public Poller::Client {
 public:
  // `number` counts the run's listeners from zero.
  Listener(Server& server, Socket socket, std::uint32_t number);

  void on_ready(std::uint32_t epoll_events) override;
  // For good.
  void close();
  // Refuses clients from now on; whoever was not accepted yet is reset.
  void shut();
  bool is_shut() const { return !socket_.is_open(); }
  // Accepts again, on a socket of the same port.
  void open(Socket socket);

 private:
  void accept_all();
  bool accept_one();
  bool somebody_waits() const;
  void pause(const char* why);
  void note_pause();

  Server& server_;
  Socket socket_;
  std::uint32_t number_;
  boost::asio::steady_timer resume_;
  bool paused_ = false;
  bool said_ = false;  // once per shortage
  const char* why_ = "";
  Instant paused_since_;
};

}  // namespace retrylab::net
