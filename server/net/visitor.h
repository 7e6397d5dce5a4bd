// SPDX-License-Identifier: MIT
// An accepted socket of which it is not known yet whose it will be. It is looked at without
// reading, so that whoever gets it finds everything as the client sent it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "server/net/poller.h"
#include "server/net/socket.h"

namespace retrylab::net {

class Server;

class Visitor final : public Poller::Client {
 public:
  Visitor(Server& server, Socket socket, std::uint32_t listener, std::string client)
      : server_(server),
        socket_(std::move(socket)),
        listener_(listener),
        client_(std::move(client)) {}

  // Server::let_in once its first head is there, or nothing more comes. False when the kernel has
  // no room.
  [[nodiscard]] bool start();
  void on_ready(std::uint32_t epoll_events) override;

  // What it was, for who goes on with it.
  Socket take();
  std::uint32_t listener() const { return listener_; }
  const std::string& client() const { return client_; }

 private:
  Server& server_;
  Socket socket_;
  std::uint32_t listener_;
  std::string client_;
};

}  // namespace retrylab::net
