// SPDX-License-Identifier: MIT
// Non-blocking loopback sockets, epoll and one timer, as thin as they can be. Trouble of the
// machine (no descriptors, no epoll) ends the program with a message: there is nothing to measure
// then. Trouble of the server is for the caller to count.
#pragma once

#include <sys/epoll.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "bench/load/clock.h"

namespace retrylab::load {

// Says what is wrong on stderr and exits with 1.
[[noreturn]] void give_up(const std::string& problem);

// Raises the soft limit of open files to the hard one; gives up when that is below `wanted`.
void raise_descriptor_limit(std::size_t wanted);

// Owns a descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close();
  int release();

 private:
  int fd_ = -1;
};

// Begins to connect to 127.0.0.1:port; writable when done (then ask `connect_error`). Client
// number `client` leaves from 127.0.0.2 and up, 16,000 clients to an address, so that ports do not
// run out.
Descriptor begin_connect(std::uint16_t port, std::size_t client);

// 0 when the connection stands, else the errno.
int connect_error(const Descriptor& socket);

class Poller {
 public:
  Poller();
  // Events come with `token`. A descriptor that is closed leaves by itself.
  void add(const Descriptor& socket, std::uint32_t events, std::uint64_t token);
  void change(const Descriptor& socket, std::uint32_t events, std::uint64_t token);
  // Waits until something happens or the clock reaches `until`; the span lives until the next
  // call. Empty: the time is up.
  std::span<const epoll_event> wait(Nanos until);

 private:
  static constexpr std::uint64_t kTimer = ~std::uint64_t{0};
  static constexpr std::size_t kBatch = 512;

  void arm(Nanos until);

  Descriptor epoll_;
  Descriptor timer_;
  Nanos armed_ = 0;
  epoll_event events_[kBatch] = {};
};

}  // namespace retrylab::load
