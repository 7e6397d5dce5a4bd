// SPDX-License-Identifier: MIT
#include "server/net/visitor.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <span>
#include <string_view>

#include "server/net/server.h"

namespace retrylab::net {

bool Visitor::start() {
  return server_.loop().poller().add(socket_.descriptor(), EPOLLIN | EPOLLRDHUP | EPOLLET, *this);
}

void Visitor::on_ready(std::uint32_t epoll_events) {
  if (!socket_.is_open()) return;
  const std::span<char> buffer = server_.loop().buffer();
  const auto size =
      ::recv(socket_.descriptor(), buffer.data(), buffer.size(), MSG_PEEK | MSG_DONTWAIT);
  const std::string_view seen(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const auto end = seen.find("\r\n\r\n");
  const bool ended = (epoll_events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
  const bool more_may_come = size > 0 ? seen.size() < buffer.size() : size < 0 && errno == EAGAIN;
  if (end == std::string_view::npos && more_may_come && !ended) return;
  server_.let_in(*this, std::string(seen.substr(0, end)));
}

Socket Visitor::take() {
  server_.loop().poller().remove(socket_.descriptor());
  return std::move(socket_);
}

}  // namespace retrylab::net
