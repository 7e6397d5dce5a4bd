// SPDX-License-Identifier: MIT
#include "server/engine/slices.h"

#include <algorithm>

namespace retrylab::engine {

using scenario::Pace;

const Pace* Slices::pace_at(std::size_t offset) const {
  const auto part = offset < head_size_ ? Pace::Part::head : Pace::Part::body;
  const auto found = std::ranges::find(manner_.pace, part, &Pace::part);
  return found == manner_.pace.end() ? nullptr : &*found;
}

void Slices::append_paced(const Pace& pace, std::size_t end, wire::Plan& plan) {
  plan.actions.emplace_back(
      wire::WritePaced{{bytes_, at_, end}, pace.bytes, pace.every, completes_head(at_, end)});
  at_ = end;
}

// The last size repeats: the rest goes out as one paced write without an interval.
void Slices::append_segments(std::size_t end, wire::Plan& plan) {
  while (at_ < end) {
    const auto last = manner_.write_sizes.size() - 1;
    const std::size_t size = manner_.write_sizes[std::min(segment_, last)];
    const std::size_t to = segment_ >= last ? end : std::min(end, at_ + size);
    plan.actions.emplace_back(
        wire::WritePaced{{bytes_, at_, to}, size, Duration(0), completes_head(at_, to)});
    at_ = to;
    ++segment_;
  }
}

void Slices::append_to(std::size_t end, wire::Plan& plan) {
  while (at_ < end) {
    const Pace* pace = pace_at(at_);
    const bool in_head = at_ < head_size_ && !manner_.pace.empty();
    const std::size_t to = in_head ? std::min(end, head_size_) : end;
    if (pace != nullptr) {
      append_paced(*pace, to, plan);
    } else if (!manner_.write_sizes.empty()) {
      append_segments(to, plan);
    } else {
      plan.actions.emplace_back(wire::Write{{bytes_, at_, to}, completes_head(at_, to)});
      at_ = to;
    }
  }
}

}  // namespace retrylab::engine
