// SPDX-License-Identifier: MIT
#include "server/net/socket.h"

#include <arpa/inet.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace retrylab::net {
namespace {

Transfer outcome(ssize_t result) {
  if (result > 0) return {.bytes = static_cast<std::size_t>(result)};
  if (result == 0) return {.kind = Transfer::Kind::end};
  switch (errno) {
    case EAGAIN:
    case EINTR:
      return {.kind = Transfer::Kind::would_block};
    case ENOBUFS:
    case ENOMEM:
      return {.kind = Transfer::Kind::trouble};
    default:
      return {.kind = Transfer::Kind::broken};
  }
}

// The stamp of SO_TIMESTAMPING: three timespecs, of which the first is the software one.
std::optional<WallTime> arrival(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPING) continue;
    timespec stamp;
    std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
    if (stamp.tv_sec == 0) return std::nullopt;
    return WallTime(std::chrono::seconds(stamp.tv_sec) + std::chrono::nanoseconds(stamp.tv_nsec));
  }
  return std::nullopt;
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

std::optional<Address> parse_address(const std::string& text, std::uint16_t port) {
  Address address;
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address.size = sizeof v4;
    std::memcpy(&address.storage, &v4, sizeof v4);
  } else if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.size = sizeof v6;
    std::memcpy(&address.storage, &v6, sizeof v6);
  } else {
    return std::nullopt;
  }
  return address;
}

void enable(int descriptor, int level, int option, int value = 1) {
  setsockopt(descriptor, level, option, &value, sizeof value);
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

bool Socket::failed() const {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error != 0;
}

Transfer Socket::read(std::span<char> into) {
  return outcome(::recv(descriptor_, into.data(), into.size(), MSG_DONTWAIT));
}

Transfer Socket::read_stamped(std::span<char> into) {
  iovec piece{into.data(), into.size()};
  alignas(cmsghdr) char control[128];
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  Transfer transfer = outcome(::recvmsg(descriptor_, &message, MSG_DONTWAIT));
  if (transfer.kind == Transfer::Kind::done) transfer.arrived = arrival(message);
  return transfer;
}

Transfer Socket::write(std::span<const iovec> pieces, bool segment_ends) {
  const int flags = MSG_DONTWAIT | MSG_NOSIGNAL | (segment_ends ? MSG_EOR : 0);
  if (pieces.size() == 1) {
    return outcome(::send(descriptor_, pieces[0].iov_base, pieces[0].iov_len, flags));
  }
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());  // the call does not write to it
  message.msg_iovlen = pieces.size();
  return outcome(::sendmsg(descriptor_, &message, flags));
}

Transfer Socket::discard() {
  return outcome(::recv(descriptor_, nullptr, 1 << 20, MSG_DONTWAIT | MSG_TRUNC));
}

void Socket::shutdown_write() {
  ::shutdown(descriptor_, SHUT_WR);
}

void Socket::close() {
  if (is_open()) ::close(std::exchange(descriptor_, -1));
}

void Socket::reset() {
  const linger abort{.l_onoff = 1, .l_linger = 0};
  setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
  close();
}

Result<Socket> listen_on(const std::string& address, std::uint16_t port, ListenOptions options) {
  const std::string where = authority(address, port);
  const auto parsed = parse_address(address, port);
  if (!parsed) return fail(ErrorCode::invalid_argument, address, "not an IP address");
  const auto refused = [&] { return fail(ErrorCode::machine, where, std::strerror(errno)); };

  const int family = parsed->storage.ss_family;
  Socket socket(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return refused();
  // Accepted sockets inherit all but the first of these.
  enable(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR);
  if (options.shares_port) enable(socket.descriptor(), SOL_SOCKET, SO_REUSEPORT);
  enable(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY);
  enable(socket.descriptor(), SOL_SOCKET, SO_TIMESTAMPING,
         SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE);
  // sockaddr's siblings share its head by contract of the sockets interface.
  if (::bind(socket.descriptor(), reinterpret_cast<const sockaddr*>(&parsed->storage),
             parsed->size) != 0) {
    return refused();
  }
  if (options.listens && ::listen(socket.descriptor(), SOMAXCONN) != 0) return refused();
  return socket;
}

std::uint16_t local_port(const Socket& socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  ::getsockname(socket.descriptor(), reinterpret_cast<sockaddr*>(&storage), &size);
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  if (storage.ss_family == AF_INET) {
    std::memcpy(&v4, &storage, sizeof v4);
    return ntohs(v4.sin_port);
  }
  std::memcpy(&v6, &storage, sizeof v6);
  return ntohs(v6.sin6_port);
}

std::string authority(const std::string& address, std::uint16_t port) {
  const bool v6 = address.find(':') != std::string::npos;
  return (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

}  // namespace retrylab::net
