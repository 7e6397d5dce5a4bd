// SPDX-License-Identifier: MIT
#include "bench/load/socket.h"

#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace retrylab::load {
namespace {

constexpr std::size_t kClientsPerAddress = 16'000;

sockaddr_in address(std::uint32_t host, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_addr.s_addr = htonl(host);
  result.sin_port = htons(port);
  return result;
}

const sockaddr* generic(const sockaddr_in& address) {
  return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

}  // namespace

void give_up(const std::string& problem) {
  fmt::print(stderr, "retrylab-load: {}\n", problem);
  std::exit(1);
}

void raise_descriptor_limit(std::size_t wanted) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < wanted) {
    give_up(fmt::format("needs {} open files, the hard limit is {} (ulimit -Hn)", wanted,
                        limit.rlim_max));
  }
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(release());
}

int Descriptor::release() {
  return std::exchange(fd_, -1);
}

Descriptor begin_connect(std::uint16_t port, std::size_t client) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.open()) give_up(fmt::format("socket: {}", std::strerror(errno)));
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(socket.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);

  const auto block = static_cast<std::uint32_t>(client / kClientsPerAddress);
  const sockaddr_in from = address(INADDR_LOOPBACK + 1 + block, 0);
  if (::bind(socket.get(), generic(from), sizeof from) != 0) {
    give_up(fmt::format("bind to a loopback address: {}", std::strerror(errno)));
  }
  const sockaddr_in to = address(INADDR_LOOPBACK, port);
  if (::connect(socket.get(), generic(to), sizeof to) != 0 && errno != EINPROGRESS) {
    socket.close();
  }
  return socket;
}

int connect_error(const Descriptor& socket) {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

Poller::Poller()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  if (!epoll_.open() || !timer_.open()) give_up(fmt::format("epoll: {}", std::strerror(errno)));
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  add(timer_, EPOLLIN | EPOLLET, kTimer);
}

void Poller::add(const Descriptor& socket, std::uint32_t events, std::uint64_t token) {
  epoll_event event{.events = events, .data = {.u64 = token}};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket.get(), &event);
}

void Poller::change(const Descriptor& socket, std::uint32_t events, std::uint64_t token) {
  epoll_event event{.events = events, .data = {.u64 = token}};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, socket.get(), &event);
}

void Poller::arm(Nanos until) {
  if (until == armed_) return;
  armed_ = until;
  itimerspec at{};
  at.it_value = {.tv_sec = until / kSecond, .tv_nsec = until % kSecond};
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &at, nullptr);
}

std::span<const epoll_event> Poller::wait(Nanos until) {
  arm(until);
  while (true) {
    const bool over = now() >= until;
    const int count = ::epoll_wait(epoll_.get(), events_, kBatch, over ? 0 : -1);
    std::size_t kept = 0;
    for (int i = 0; i < count; ++i) {
      if (events_[i].data.u64 != kTimer) events_[kept++] = events_[i];
    }
    if (kept > 0 || over) return {events_, kept};
  }
}

}  // namespace retrylab::load
