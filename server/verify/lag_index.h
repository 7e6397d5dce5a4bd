// SPDX-License-Identifier: MIT
// How late the host was during any stretch of time, from the lag probe's samples.
#pragma once

#include <cstddef>
#include <vector>

#include "client_lib/base/time.h"
#include "server/journal/record.h"

namespace retrylab::verify {

class LagIndex {
 public:
  explicit LagIndex(std::vector<journal::Lag> lags);

  // How much of a stretch's length the host may explain: all lateness that touches it, and some
  // of the worst of the whole run, since the client is another process than the one measured.
  Duration explains(Instant from, Instant to) const;

  // The lateness that touches a stretch, summed up.
  Duration between(Instant from, Instant to) const;

  Duration worst() const { return worst_; }

 private:
  std::vector<journal::Lag> lags_;  // by time
  std::vector<Duration> sums_;      // of the first n
  Duration worst_{0};
};

}  // namespace retrylab::verify
