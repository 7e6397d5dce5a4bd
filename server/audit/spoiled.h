// SPDX-License-Identifier: MIT
// Which scenarios of an audit are worth a second run, with fewer clients at a time.
#pragma once

#include "server/audit/case.h"

namespace retrylab::audit {

// Another run may tell more: a client was stopped before it had connected, the verdict is
// inconclusive and may end otherwise, or nothing is broken but a limit of time, which a busy host
// breaks too. Not where a client hung and was stopped: it would only have to be stopped again.
bool is_spoiled(const Case& one);

}  // namespace retrylab::audit
