// SPDX-License-Identifier: MIT
// Puts attempts into operations one after the other, by what each says of itself and by likeness.
#pragma once

#include <span>
#include <vector>

#include "server/journal/arrival.h"
#include "server/journal/operations.h"

namespace retrylab::journal {

// `arrivals` are all of the run, in order. The operations are in the order of their first attempts.
std::vector<OperationGroup> group(const Run& run, const GroupingOptions& options,
                                  std::span<const Arrival> arrivals);

}  // namespace retrylab::journal
