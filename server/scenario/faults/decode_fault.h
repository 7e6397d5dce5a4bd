// SPDX-License-Identifier: MIT
// Reads `fault`: one fault or a list in the order of their moments.
#pragma once

#include <vector>

#include "server/scenario/faults/fault.h"
#include "server/scenario/json/mistakes.h"

namespace retrylab::scenario {

// Where the faults stand: in the `connections` script, before a route is known, or on a step.
enum class FaultSite { connections, step };

struct PlacedFault {
  Fault fault;
  const json::Node* node = nullptr;  // where it stood, for checks that need the whole step
};

std::vector<PlacedFault> decode_faults(const json::Node& node, FaultSite site,
                                       json::Mistakes& mistakes);

}  // namespace retrylab::scenario
