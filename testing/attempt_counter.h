// SPDX-License-Identifier: MIT
// Counts attempts as they begin, for those who wait for them. Private to MockServer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "server/journal/recorder.h"

namespace retrylab::testing {

// Thread-safe: written by the run's loop, waited for by tests.
class AttemptCounter : public journal::Sink {
 public:
  void begun(const journal::Attempt&) override {
    {
      const std::lock_guard lock(mutex_);
      ++count_;
    }
    more_.notify_all();
  }
  bool wait_for(std::uint64_t count, std::chrono::nanoseconds timeout) {
    std::unique_lock lock(mutex_);
    return more_.wait_for(lock, timeout, [&] { return count_ >= count; });
  }

  void run_started(const journal::Run&) override {}
  void connection_opened(const journal::Connection&) override {}
  void connection_ended(const journal::Connection&) override {}
  void ended(const journal::Attempt&) override {}
  void resource(const journal::Resource&) override {}
  void lag(const journal::Lag&) override {}
  void client_ended(const journal::ClientEnd&) override {}
  void run_ended(const journal::Run&) override {}

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::uint64_t count_ = 0;
};

}  // namespace retrylab::testing
