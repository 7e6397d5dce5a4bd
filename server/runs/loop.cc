// SPDX-License-Identifier: MIT
#include "server/runs/loop.h"

#include <malloc.h>
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

// The loop's thread makes nearly every allocation of the process. In an arena of its own glibc
// would grow by a page and a system call at a time, one for every five attempts journalled.
void share_one_arena() {
  constexpr int kGrowth = 1 << 20;
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, kGrowth);
}

}  // namespace

Loop::Impl::Impl() : lag_probe_(events_.io()) {
  raise_descriptor_limit();
  share_one_arena();
  thread_ = std::thread([this] { events_.run(); });
}

Loop::Impl::~Impl() {
  events_.stop();
  thread_.join();
}

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

}  // namespace retrylab::runs
