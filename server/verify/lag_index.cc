// SPDX-License-Identifier: MIT
#include "server/verify/lag_index.h"

#include <algorithm>
#include <utility>

#include "server/verify/timing.h"

namespace retrylab::verify {

LagIndex::LagIndex(std::vector<journal::Lag> lags) : lags_(std::move(lags)) {
  std::ranges::sort(lags_, {}, &journal::Lag::at);
  sums_.push_back(Duration(0));
  for (const journal::Lag& lag : lags_) {
    sums_.push_back(sums_.back() + lag.late);
    worst_ = std::max(worst_, lag.late);
  }
}

Duration LagIndex::explains(Instant from, Instant to) const {
  return between(from, to) + std::min(worst_, kNeighbourLagMax);
}

Duration LagIndex::between(Instant from, Instant to) const {
  if (lags_.empty()) return Duration(0);
  const auto first = std::ranges::lower_bound(lags_, from, {}, &journal::Lag::at);
  auto last = std::ranges::upper_bound(lags_, to, {}, &journal::Lag::at);
  while (last != lags_.end() && last->at - last->late <= to) ++last;
  if (last <= first) return Duration(0);
  const auto index = [this](auto at) { return static_cast<std::size_t>(at - lags_.begin()); };
  return sums_[index(last)] - sums_[index(first)];
}

}  // namespace retrylab::verify
