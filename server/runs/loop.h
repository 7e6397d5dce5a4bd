// SPDX-License-Identifier: MIT
// The inside of runs::Loop, for the runs that live on it.
#pragma once

#include <future>
#include <memory>
#include <optional>
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

  // The same, but waits no longer than `limit`; then nothing, and `work` runs later all the same.
  // So it owns what it uses.
  template <typename Work>
  auto call_within(Duration limit, Work work) -> std::optional<decltype(work())> {
    const auto task = std::make_shared<std::packaged_task<decltype(work())()>>(std::move(work));
    auto result = task->get_future();
    events_.post([task] { (*task)(); });
    if (result.wait_for(limit) != std::future_status::ready) return std::nullopt;
    return result.get();
  }

 private:
  net::EventLoop events_;
  LagProbe lag_probe_;
  std::thread thread_;
};

}  // namespace retrylab::runs
