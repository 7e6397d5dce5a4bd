// SPDX-License-Identifier: MIT
// The sections of docs/simulation.md, each computed anew. `effort` scales the trials: 100 is the
// full program, minutes long.
#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "tests/server/sim/models/sample.h"

namespace retrylab::sim::reproduce {

struct Effort {
  std::uint64_t percent = 100;
  std::uint64_t of(std::uint64_t trials) const {
    return trials * percent / 100 > 10 ? trials * percent / 100 : 10;
  }
};

void contended_table(Effort effort);
void contended_sweep(Effort effort);
void independent_failures_table(Effort effort);
void collapse(Effort effort);
void certificates();
void outage_matrix(Effort effort);

}  // namespace retrylab::sim::reproduce
