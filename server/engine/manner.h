// SPDX-License-Identifier: MIT
// How an answer is delivered, as opposed to what it says: delay, pace, segment sizes, framing,
// faults. An override without status or body changes only this.
#pragma once

#include <span>

#include "server/scenario/scenario.h"

namespace retrylab::engine {

// Views into the scenario's steps.
struct Manner {
  const scenario::Delay* delay = nullptr;
  std::span<const scenario::Pace> pace;
  std::span<const std::size_t> write_sizes;
  std::span<const scenario::Fault> faults;
  const scenario::Framing* framing = nullptr;
};

Manner manner_of(const scenario::Step& step);

// What `change` sets replaces what `manner` has; the rest stays.
Manner changed_by(Manner manner, const scenario::Step& change);

}  // namespace retrylab::engine
