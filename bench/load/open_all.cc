// SPDX-License-Identifier: MIT
#include "bench/load/open_all.h"

#include <algorithm>
#include <utility>

namespace retrylab::load {
namespace {

constexpr std::size_t kAtOnce = 64;

// Connects sockets [first, last) and waits until each stands or has failed.
void open_some(std::uint16_t port, std::vector<Descriptor>& sockets, std::size_t first,
               std::size_t last, Nanos until) {
  Poller poller;
  std::vector<bool> stands(last - first, false);
  std::size_t waiting = 0;
  for (std::size_t i = first; i < last; ++i) {
    sockets[i] = begin_connect(port, i);
    if (!sockets[i].open()) continue;
    poller.add(sockets[i], EPOLLOUT | EPOLLONESHOT, i);
    ++waiting;
  }
  while (waiting > 0) {
    const auto events = poller.wait(until);
    if (events.empty()) break;
    for (const epoll_event& event : events) {
      const std::size_t i = event.data.u64;
      stands[i - first] = connect_error(sockets[i]) == 0;
      --waiting;
    }
  }
  for (std::size_t i = first; i < last; ++i) {
    if (!stands[i - first]) sockets[i].close();
  }
}

}  // namespace

std::vector<Descriptor> open_all(std::uint16_t port, std::size_t clients, Nanos patience) {
  std::vector<Descriptor> sockets(clients);
  const Nanos until = now() + patience;
  for (std::size_t first = 0; first < clients && now() < until; first += kAtOnce) {
    open_some(port, sockets, first, std::min(first + kAtOnce, clients), until);
  }
  return sockets;
}

}  // namespace retrylab::load
