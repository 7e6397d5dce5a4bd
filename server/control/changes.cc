// SPDX-License-Identifier: MIT
#include "server/control/changes.h"

#include <algorithm>
#include <utility>

namespace retrylab::control {
namespace {

constexpr std::size_t kKept = 1'000;

}  // namespace

std::string_view word(Change::Why why) {
  switch (why) {
    case Change::Why::started:
      return "started";
    case Change::Why::reset:
      return "reset";
    case Change::Why::deleted:
      return "deleted";
    case Change::Why::ttl:
      return "ttl";
    case Change::Why::stopped:
      return "stopped";
  }
  return "";
}

void Changes::add(Change change) {
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(change));
  if (kept_.size() > kKept) {
    kept_.pop_front();
    ++first_;
  }
  grown_.notify_all();
}

void Changes::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  grown_.notify_all();
}

std::uint64_t Changes::next() const {
  const std::lock_guard lock(mutex_);
  return first_ + kept_.size();
}

Changes::Piece Changes::read(std::uint64_t from, Duration limit) {
  std::unique_lock lock(mutex_);
  grown_.wait_for(lock, limit, [&] { return closed_ || first_ + kept_.size() > from; });
  const std::uint64_t next = first_ + kept_.size();
  const std::uint64_t begin = std::clamp(from, first_, next);
  Piece piece{.changes = {},
              .next = next,
              .dropped = from < first_ ? first_ - from : 0,
              .over = closed_ && begin == next};
  piece.changes.assign(kept_.begin() + static_cast<std::ptrdiff_t>(begin - first_), kept_.end());
  return piece;
}

}  // namespace retrylab::control
