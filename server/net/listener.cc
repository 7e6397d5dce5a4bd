// SPDX-License-Identifier: MIT
#include "server/net/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "client_lib/base/check.h"
#include "server/net/server.h"

namespace retrylab::net {
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);

std::string client_address(const sockaddr_storage& peer) {
  char text[INET6_ADDRSTRLEN] = {};
  if (peer.ss_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &peer, sizeof v4);
    inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
  } else {
    sockaddr_in6 v6;
    std::memcpy(&v6, &peer, sizeof v6);
    inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
  }
  return text;
}

}  // namespace

Listener::Listener(Server& server, Socket socket, std::uint32_t number)
    : server_(server), socket_(std::move(socket)), number_(number), resume_(server.loop().io()) {
  CHECK(server_.loop().poller().add(socket_.descriptor(), EPOLLIN | EPOLLET, *this));
}

void Listener::on_ready(std::uint32_t) {
  if (!paused_) accept_all();
}

void Listener::close() {
  resume_.cancel();
  if (said_) note_pause();
  paused_ = true;
  socket_.close();
}

void Listener::shut() {
  resume_.cancel();
  paused_ = false;
  socket_.close();
}

void Listener::open(Socket socket) {
  socket_ = std::move(socket);
  CHECK(server_.loop().poller().add(socket_.descriptor(), EPOLLIN | EPOLLET, *this));
}

void Listener::accept_all() {
  while (!paused_ && !is_shut() && accept_one()) {
  }
}

bool Listener::accept_one() {
  if (server_.full()) {
    if (somebody_waits()) {
      pause("the limit of connections is reached");
    } else if (said_) {
      note_pause();
    }
    return false;
  }
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  const int descriptor = ::accept4(socket_.descriptor(), reinterpret_cast<sockaddr*>(&peer), &size,
                                   SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor >= 0) {
    server_.accepted(Socket(descriptor), number_, client_address(peer));
    return true;
  }
  switch (errno) {
    case EAGAIN:
      if (said_) note_pause();
      return false;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      pause(std::strerror(errno));
      return false;
    default:
      return true;  // that client is gone already; the next one
  }
}

bool Listener::somebody_waits() const {
  pollfd entry{socket_.descriptor(), POLLIN, 0};
  return ::poll(&entry, 1, 0) > 0;
}

// Nobody waits any more, so the shortage is over.
void Listener::note_pause() {
  said_ = false;
  server_.handler().paused(paused_since_, server_.clock().now(), why_);
}

void Listener::pause(const char* why) {
  if (!said_) {
    server_.say(std::string("accepting no connections for now: ") + why);
    why_ = why;
    paused_since_ = server_.clock().now();
  }
  said_ = paused_ = true;
  resume_.expires_after(kPause);
  resume_.async_wait([this](const boost::system::error_code& error) {
    if (error || !socket_.is_open()) return;
    paused_ = false;
    accept_all();
  });
}

}  // namespace retrylab::net
