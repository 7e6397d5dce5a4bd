// SPDX-License-Identifier: MIT
// The usual case of many attempts: each says itself to which operation it belongs, so that they can
// be put together in shares, by the hash of the name.
#pragma once

#include <optional>
#include <vector>

#include "server/journal/in_parallel.h"
#include "server/journal/operations.h"

namespace retrylab::journal {

// In the order of their first attempts. Nothing where one attempt does not say it.
std::optional<std::vector<OperationGroup>> group_by_name(const Run& run,
                                                         const GroupingOptions& options,
                                                         const InParallel& in_parallel);

}  // namespace retrylab::journal
