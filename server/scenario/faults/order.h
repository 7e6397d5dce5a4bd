// SPDX-License-Identifier: MIT
// Whether several faults of one step can all happen, in the order they are written.
#pragma once

#include <vector>

#include "server/scenario/faults/decode_fault.h"
#include "server/scenario/json/mistakes.h"

namespace retrylab::scenario {

// Adds a mistake at each fault that stands before its moment's turn or can never be reached.
void check_order(const std::vector<PlacedFault>& faults, json::Mistakes& mistakes);

}  // namespace retrylab::scenario
