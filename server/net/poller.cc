// SPDX-License-Identifier: MIT
#include "server/net/poller.h"

#include <sys/epoll.h>

#include <array>
#include <utility>

#include "client_lib/base/check.h"

namespace retrylab::net {
namespace {

constexpr int kEventsPerTurn = 256;

epoll_event event_for(std::uint32_t events, Poller::Client& client) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &client;
  return event;
}

}  // namespace

Poller::Poller(boost::asio::io_context& io) : set_(io) {
  const int descriptor = epoll_create1(EPOLL_CLOEXEC);
  CHECK(descriptor >= 0);
  set_.assign(descriptor);
  wait();
}

bool Poller::add(int descriptor, std::uint32_t epoll_events, Client& client) {
  epoll_event event = event_for(epoll_events, client);
  return epoll_ctl(set_.native_handle(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Poller::change(int descriptor, std::uint32_t epoll_events, Client& client) {
  epoll_event event = event_for(epoll_events, client);
  CHECK(epoll_ctl(set_.native_handle(), EPOLL_CTL_MOD, descriptor, &event) == 0);
}

void Poller::remove(int descriptor) {
  CHECK(epoll_ctl(set_.native_handle(), EPOLL_CTL_DEL, descriptor, nullptr) == 0);
}

void Poller::wait() {
  set_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                  [this](const boost::system::error_code& error) {
                    if (error) return;
                    dispatch();
                    wait();
                  });
}

void Poller::dispatch() {
  std::array<epoll_event, kEventsPerTurn> events;
  const int count = epoll_wait(set_.native_handle(), events.data(), kEventsPerTurn, 0);
  for (TurnBegin* const whom : std::exchange(turn_begins_, {})) whom->on_turn_begin();
  in_turn_ = true;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    static_cast<Client*>(event.data.ptr)->on_ready(event.events);
  }
  in_turn_ = false;
  for (TurnEnd* const whom : std::exchange(turn_ends_, {})) whom->on_turn_end();
}

}  // namespace retrylab::net
