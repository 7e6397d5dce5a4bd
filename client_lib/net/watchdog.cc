// SPDX-License-Identifier: MIT
#include "client_lib/net/watchdog.h"

#include <algorithm>
#include <utility>

namespace retrylab {
namespace {

constexpr Duration kAgain = std::chrono::milliseconds(10);

}  // namespace

Watchdog::Watchdog() : thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

// The thread is woken only for a deadline before the one it sleeps for, so that attempts in a
// row with equal limits cost no system call.
Watchdog::Token Watchdog::arm(Duration time, std::function<void()> bark) {
  constexpr Duration kLongest = std::chrono::hours(24 * 365 * 100);
  const Deadline deadline = std::chrono::steady_clock::now() + std::min(time, kLongest);
  const std::lock_guard lock(mutex_);
  const Token token = next_++;
  dogs_.emplace(deadline, Dog{token, std::move(bark)});
  if (deadline < sleeping_until_) wake_.notify_one();
  return token;
}

void Watchdog::disarm(Token token) {
  std::unique_lock lock(mutex_);
  std::erase_if(dogs_, [token](const auto& entry) { return entry.second.token == token; });
  if (barking_ == token) disarmed_while_barking_ = true;
  barked_.wait(lock, [this, token] { return barking_ != token; });
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const Deadline now = std::chrono::steady_clock::now();
    if (dogs_.empty() || dogs_.begin()->first > now) {
      sleeping_until_ = dogs_.empty() ? Deadline::max() : dogs_.begin()->first;
      if (dogs_.empty()) {
        wake_.wait(lock);
      } else {
        wake_.wait_until(lock, sleeping_until_);
      }
      continue;
    }
    Dog dog = std::move(dogs_.begin()->second);
    dogs_.erase(dogs_.begin());
    barking_ = dog.token;
    lock.unlock();
    dog.bark();
    lock.lock();
    if (!disarmed_while_barking_) {
      dogs_.emplace(std::chrono::steady_clock::now() + kAgain, std::move(dog));
    }
    barking_ = 0;
    disarmed_while_barking_ = false;
    barked_.notify_all();
  }
}

}  // namespace retrylab
