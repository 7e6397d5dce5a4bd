// SPDX-License-Identifier: MIT
// Two counters over a sliding window of time, kept in ten slices: what is older than the window
// drops out slice by slice, so the window is up to a tenth shorter than its name.
#pragma once

#include <array>
#include <cstdint>

#include "client_lib/base/time.h"

namespace retrylab {

class SlidingCounts {
 public:
  struct Counts {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
  };

  // `window` is at least ten nanoseconds.
  explicit SlidingCounts(Duration window);

  void add_first(Instant now) { ++slice(now).counts.first; }
  void add_second(Instant now) { ++slice(now).counts.second; }

  // The sums over the window that ends now.
  Counts sum(Instant now) const;

 private:
  static constexpr std::int64_t kSlices = 10;
  struct Slice {
    std::int64_t number = -kSlices;  // which slice of time it holds
    Counts counts;
  };

  std::int64_t number(Instant now) const { return now.time_since_epoch() / slice_length_; }
  Slice& slice(Instant now);

  Duration slice_length_;
  std::array<Slice, kSlices> slices_{};
};

}  // namespace retrylab
