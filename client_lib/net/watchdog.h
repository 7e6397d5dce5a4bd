// SPDX-License-Identifier: MIT
// Calls something when a time is up, and again every ten milliseconds, until it is disarmed: the
// total deadline that cpp-httplib lacks. One thread for all. Again and again, because a call that
// hits a request between two of its steps may be without effect.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "client_lib/base/time.h"

namespace retrylab {

class Watchdog {
 public:
  using Token = std::uint64_t;

  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // First calls `bark` on the watchdog's thread `time` from now, never earlier.
  Token arm(Duration time, std::function<void()> bark);

  // When this returns, the call is not running and will not come.
  void disarm(Token token);

 private:
  using Deadline = std::chrono::steady_clock::time_point;
  struct Dog {
    Token token;
    std::function<void()> bark;
  };

  void watch();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable barked_;
  std::multimap<Deadline, Dog> dogs_;
  Deadline sleeping_until_ = Deadline::max();
  Token next_ = 1;
  Token barking_ = 0;
  bool disarmed_while_barking_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace retrylab
