// SPDX-License-Identifier: MIT
// Readiness of sockets: an epoll set that hangs in the Asio loop as one descriptor. Asio has no
// word for "the peer sent a FIN behind unread bytes" (EPOLLRDHUP), and arms a descriptor anew by
// a system call for every wait; here a socket is registered once, edge-triggered
// (docs/decisions/0004-own-epoll-set.md).
#pragma once

#include <cstdint>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

namespace retrylab::net {

class Poller {
 public:
  // Lives until the events of the turn in which it was last registered are over.
  class Client {
   public:
    virtual void on_ready(std::uint32_t epoll_events) = 0;

   protected:
    ~Client() = default;
  };

  // Hears once that the events of this turn are all handed out.
  class TurnEnd {
   public:
    virtual void on_turn_end() = 0;

   protected:
    ~TurnEnd() = default;
  };

  // Hears that events are about to be handed out.
  class TurnBegin {
   public:
    virtual void on_turn_begin() = 0;

   protected:
    ~TurnBegin() = default;
  };

  explicit Poller(boost::asio::io_context& io);
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // False when the kernel has no room. Closing the descriptor ends the registration.
  [[nodiscard]] bool add(int descriptor, std::uint32_t epoll_events, Client& client);
  // Other events; what is already so is reported anew.
  void change(int descriptor, std::uint32_t epoll_events, Client& client);

  // Ends the registration of a descriptor that stays open.
  void remove(int descriptor);

  // Events are being handed out: at_turn_end() is allowed.
  bool in_turn() const { return in_turn_; }
  void at_turn_end(TurnEnd& whom) { turn_ends_.push_back(&whom); }

  // Once, when the next turn begins, unless it is taken back. At most once at a time.
  void at_turn_begin(TurnBegin& whom) { turn_begins_.push_back(&whom); }
  void not_at_turn_begin(TurnBegin& whom) { std::erase(turn_begins_, &whom); }

 private:
  void wait();
  void dispatch();

  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> set_;
  bool in_turn_ = false;
  std::vector<TurnBegin*> turn_begins_;
  std::vector<TurnEnd*> turn_ends_;
};

}  // namespace retrylab::net
