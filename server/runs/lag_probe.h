// SPDX-License-Identifier: MIT
// Measures how late this host lets an event loop run: a timer at a steady beat, and how long
// after each planned instant it wakes. A stopped or starved process shows as one large lag at the
// instant of waking. Beats only while somebody listens.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "client_lib/base/time.h"

namespace retrylab::runs {

class LagProbe {
 public:
  using Steady = std::chrono::steady_clock;

  // Hears of every wake-up that is later than a millisecond.
  class Listener {
   public:
    virtual void late(Duration by) = 0;

   protected:
    ~Listener() = default;
  };

  explicit LagProbe(boost::asio::io_context& io) : timer_(io) {}

  void add(Listener& listener);
  void remove(Listener& listener);

 private:
  void plan(Steady::time_point at);
  void woke(Steady::time_point planned);

  boost::asio::steady_timer timer_;
  std::vector<Listener*> listeners_;
};

}  // namespace retrylab::runs
