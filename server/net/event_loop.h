// SPDX-License-Identifier: MIT
// One event loop: Asio's timers and posts, the sockets' readiness, and the buffer that all of
// its connections read into. Everything but post() and stop() belongs to the thread in run().
#pragma once

#include <array>
#include <span>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "server/net/poller.h"

namespace retrylab::net {

class EventLoop {
 public:
  EventLoop() : io_(1), poller_(io_) {}
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Serves until stop().
  void run() { io_.run(); }
  void stop() { io_.stop(); }

  // Runs `work` on the loop's thread, after what is ready now. From any thread.
  template <typename Work>
  void post(Work&& work) {
    boost::asio::post(io_, std::forward<Work>(work));
  }

  boost::asio::io_context& io() { return io_; }
  Poller& poller() { return poller_; }
  std::span<char> buffer() { return buffer_; }

 private:
  boost::asio::io_context io_;
  Poller poller_;
  std::array<char, 65'536> buffer_;
};

}  // namespace retrylab::net
