// SPDX-License-Identifier: MIT
#include "client_lib/retry/sliding_counts.h"

#include "client_lib/base/check.h"

namespace retrylab {

SlidingCounts::SlidingCounts(Duration window) : slice_length_(window / kSlices) {
  CHECK(slice_length_ > Duration(0));
}

SlidingCounts::Slice& SlidingCounts::slice(Instant now) {
  const std::int64_t current = number(now);
  Slice& found = slices_[static_cast<std::size_t>(current % kSlices)];
  if (found.number != current) found = {.number = current, .counts = {}};
  return found;
}

SlidingCounts::Counts SlidingCounts::sum(Instant now) const {
  const std::int64_t current = number(now);
  Counts total;
  for (const Slice& slice : slices_) {
    if (slice.number <= current - kSlices || slice.number > current) continue;
    total.first += slice.counts.first;
    total.second += slice.counts.second;
  }
  return total;
}

}  // namespace retrylab
