// SPDX-License-Identifier: MIT
#include "server/verify/blind_spots.h"

#include <algorithm>

namespace retrylab::verify {

BlindSpots::BlindSpots(const scenario::Scenario& scenario, const journal::Run& run) {
  const Instant zero = run.zero.value_or(Instant(Duration(0)));
  std::vector<Spot> spots;
  for (const scenario::Outage& outage : scenario.outages) {
    if (outage.what == scenario::Outage::Do::answer) continue;
    spots.emplace_back(zero + outage.from, zero + outage.until);
  }
  for (const journal::Connection& connection : run.connections) {
    const bool is_cut = !connection.planned_faults.empty() && connection.requests == 0;
    if (is_cut) spots.emplace_back(connection.accepted, connection.accepted);
  }
  std::ranges::sort(spots);
  for (const Spot& spot : spots) merge(spot);
}

bool BlindSpots::touch(Instant from, Instant to) const {
  const auto next = std::ranges::lower_bound(spots_, from, {}, &Spot::second);
  return next != spots_.end() && next->first <= to;
}

void BlindSpots::merge(const Spot& spot) {
  if (spots_.empty() || spots_.back().second < spot.first) {
    spots_.push_back(spot);
  } else {
    spots_.back().second = std::max(spots_.back().second, spot.second);
  }
}

}  // namespace retrylab::verify
