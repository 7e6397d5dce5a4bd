// SPDX-License-Identifier: MIT
#include "server/runs/loop.h"

#include <sys/resource.h>

namespace retrylab::runs {
namespace {

// As many descriptors as this process may have: a herd needs one per connection.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

Loop::Impl::Impl() : lag_probe_(events_.io()) {
  raise_descriptor_limit();
  thread_ = std::thread([this] { events_.run(); });
}

Loop::Impl::~Impl() {
  events_.stop();
  thread_.join();
}

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

}  // namespace retrylab::runs
