// SPDX-License-Identifier: MIT
// The inside of runs::Loop, for the runs that live on it.
#pragma once

#include <future>
#include <thread>
#include <utility>

#include "server/net/event_loop.h"
#include "server/runs/lag_probe.h"
#include "server/runs/live_run.h"

namespace retrylab::runs {

class Loop::Impl {
 public:
  Impl();
  ~Impl();

  net::EventLoop& events() { return events_; }
  LagProbe& lag_probe() { return lag_probe_; }

  // Runs `work` on the loop's thread and waits for it. Not from that thread.
  template <typename Work>
  auto call(Work&& work) {
    std::packaged_task<decltype(work())()> task(std::forward<Work>(work));
    auto result = task.get_future();
    events_.post([&task] { task(); });
    return result.get();
  }

 private:
  net::EventLoop events_;
  LagProbe lag_probe_;
  std::thread thread_;
};

}  // namespace retrylab::runs
