// SPDX-License-Identifier: MIT
// When attempts could not reach the server, or not be seen there: a port that was refused, a
// connection that was cut before its request.
#pragma once

#include <utility>
#include <vector>

#include "client_lib/base/time.h"
#include "server/journal/record.h"
#include "server/scenario/scenario.h"

namespace retrylab::verify {

class BlindSpots {
 public:
  BlindSpots(const scenario::Scenario& scenario, const journal::Run& run);

  bool touch(Instant from, Instant to) const;

 private:
  using Spot = std::pair<Instant, Instant>;

  void merge(const Spot& spot);

  std::vector<Spot> spots_;  // apart, in order of time
};

}  // namespace retrylab::verify
