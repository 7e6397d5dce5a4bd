// SPDX-License-Identifier: MIT
#include "tests/server/net/raw_client.h"

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "client_lib/base/check.h"

namespace retrylab {
namespace {

constexpr int kPatienceMilliseconds = 20'000;
constexpr int kMomentMilliseconds = 30;

sockaddr_in address_of(const std::string& url) {
  const auto colon = url.rfind(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

bool RawClient::can_connect(const std::string& url) {
  const sockaddr_in address = address_of(url);
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool connected =
      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(descriptor);
  return connected;
}

RawClient::RawClient(const std::string& url) {
  const sockaddr_in address = address_of(url);
  descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(descriptor_ >= 0);
  const int on = 1;
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  CHECK(::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

void RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the server has ended the connection: receive() tells how
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void RawClient::send_in_pieces(std::string_view bytes, std::size_t size) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
    send(bytes.substr(0, size));
  }
}

void RawClient::half_close() {
  ::shutdown(descriptor_, SHUT_WR);
}

void RawClient::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void RawClient::reset() {
  const linger abort{.l_onoff = 1, .l_linger = 0};
  setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
  close();
}

bool RawClient::readable(int milliseconds_max) {
  pollfd entry{descriptor_, POLLIN, 0};
  return ::poll(&entry, 1, milliseconds_max) > 0;
}

bool RawClient::read_into(Received& received, std::size_t size_max, bool briefly) {
  if (!readable(briefly ? kMomentMilliseconds : kPatienceMilliseconds)) return false;
  char buffer[65'536];
  const ssize_t count = ::recv(descriptor_, buffer, std::min(sizeof buffer, size_max), 0);
  if (count > 0) {
    received.bytes.append(buffer, static_cast<std::size_t>(count));
    return true;
  }
  received.end = count == 0 ? Seen::fin : Seen::rst;
  return false;
}

Received RawClient::receive(std::size_t size) {
  Received received;
  while (received.bytes.size() < size && read_into(received, size - received.bytes.size())) {
  }
  return received;
}

Received RawClient::receive_all() {
  Received received{.bytes = std::exchange(pending_, {})};
  while (read_into(received, SIZE_MAX)) {
  }
  return received;
}

Received RawClient::receive_until_silent(std::size_t size) {
  Received received{.bytes = std::exchange(pending_, {})};
  while (read_into(received, SIZE_MAX, received.bytes.size() >= size)) {
  }
  return received;
}

std::string RawClient::answer(bool head_only) {
  Received received{.bytes = std::exchange(pending_, {})};
  std::size_t end = std::string::npos;
  for (;;) {
    const auto blank = received.bytes.find("\r\n\r\n");
    if (blank != std::string::npos) {
      const auto length = received.bytes.find("Content-Length: ");
      const bool bodyless = head_only || length > blank;
      end = blank + 4 + (bodyless ? 0 : std::stoul(received.bytes.substr(length + 16)));
      if (received.bytes.size() >= end) break;
    }
    if (!read_into(received, SIZE_MAX)) return received.bytes;
  }
  pending_ = received.bytes.substr(end);
  return received.bytes.substr(0, end);
}

std::uint32_t RawClient::segments_received() const {
  tcp_info info{};
  socklen_t size = sizeof info;
  CHECK(getsockopt(descriptor_, IPPROTO_TCP, TCP_INFO, &info, &size) == 0);
  return info.tcpi_data_segs_in;
}

bool RawClient::silent() {
  return pending_.empty() && !readable(kMomentMilliseconds);
}

}  // namespace retrylab
