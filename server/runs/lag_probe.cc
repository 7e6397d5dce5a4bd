// SPDX-License-Identifier: MIT
#include "server/runs/lag_probe.h"

namespace retrylab::runs {
namespace {

// A hundred wake-ups a second cost about 0.1 % of a core.
constexpr auto kBeat = std::chrono::milliseconds(10);
constexpr auto kWorthTelling = std::chrono::milliseconds(1);

}  // namespace

void LagProbe::add(Listener& listener) {
  listeners_.push_back(&listener);
  if (listeners_.size() == 1) plan(Steady::now() + kBeat);
}

void LagProbe::remove(Listener& listener) {
  std::erase(listeners_, &listener);
  if (listeners_.empty()) timer_.cancel();
}

void LagProbe::plan(Steady::time_point at) {
  timer_.expires_at(at);
  timer_.async_wait([this, at](const boost::system::error_code& error) {
    if (!error && !listeners_.empty()) woke(at);
  });
}

void LagProbe::woke(Steady::time_point planned) {
  const auto now = Steady::now();
  const Duration late = now - planned;
  if (late > kWorthTelling) {
    for (Listener* listener : listeners_) listener->late(late);
  }
  plan(now + kBeat);
}

}  // namespace retrylab::runs
