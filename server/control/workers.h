// SPDX-License-Identifier: MIT
// The threads of the admin listener, at most so many, each started when it is first needed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace retrylab::control {

// Thread-safe. Threads that are busy when it goes are left to finish alone; `keep` lives as long
// as any of them.
class Workers {
 public:
  Workers(std::size_t threads_max, std::shared_ptr<void> keep);
  ~Workers();  // begins no further work

  // Runs `work` when a thread is free. Waits while as many wait already as there are threads: the
  // next connections are then left to the kernel's queue.
  void run(std::function<void()> work);
  void stop();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace retrylab::control
