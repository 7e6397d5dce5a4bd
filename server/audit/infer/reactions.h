// SPDX-License-Identifier: MIT
// Which statuses and failures are retried, by method: one probe each, of one failure and then
// success. A second attempt that the HTTP stack sent by itself counts for nothing.
#pragma once

#include <vector>

#include "server/audit/infer/findings.h"
#include "server/audit/infer/observed.h"

namespace retrylab::audit {

std::vector<Reaction> infer_reactions(const Observed& observed);

}  // namespace retrylab::audit
