// SPDX-License-Identifier: MIT
#include "server/control/workers.h"

#include <thread>
#include <utility>

namespace retrylab::control {
namespace {

// More are for a crowd, and leave when it has gone.
constexpr std::size_t kKept = 32;

}  // namespace

struct Workers::State {
  std::mutex mutex;
  std::condition_variable work_came;
  std::condition_variable work_taken;
  std::deque<std::function<void()>> work;
  std::size_t threads = 0;
  std::size_t free = 0;
  std::size_t threads_max = 0;
  bool stopping = false;
  std::shared_ptr<void> keep;

  void serve() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      if (work.empty()) {
        if (threads > kKept) break;
        ++free;
        work_came.wait(lock, [&] { return stopping || !work.empty(); });
        --free;
        continue;
      }
      auto next = std::move(work.front());
      work.pop_front();
      work_taken.notify_one();
      lock.unlock();
      next();
      next = nullptr;
      lock.lock();
    }
    --threads;
  }
};

Workers::Workers(std::size_t threads_max, std::shared_ptr<void> keep)
    : state_(std::make_shared<State>()) {
  state_->threads_max = threads_max;
  state_->keep = std::move(keep);
}

Workers::~Workers() {
  stop();
}

void Workers::run(std::function<void()> work) {
  std::unique_lock lock(state_->mutex);
  state_->work_taken.wait(
      lock, [&] { return state_->stopping || state_->work.size() < state_->threads_max; });
  if (state_->stopping) return;
  state_->work.push_back(std::move(work));
  if (state_->work.size() > state_->free && state_->threads < state_->threads_max) {
    ++state_->threads;
    std::thread([state = state_] { state->serve(); }).detach();
  }
  state_->work_came.notify_one();
}

void Workers::stop() {
  const std::lock_guard lock(state_->mutex);
  state_->stopping = true;
  state_->work_came.notify_all();
  state_->work_taken.notify_all();
}

}  // namespace retrylab::control
