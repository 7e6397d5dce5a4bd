// SPDX-License-Identifier: MIT
// One attempt's record, interpreted: what the client knew of it, and what the host's lateness
// spoils. It does not know the attempt's operation.
#pragma once

#include "server/journal/record.h"
#include "server/verify/evidence.h"
#include "server/verify/lag_index.h"

namespace retrylab::verify {

// `before`: one of the same operation, whose head may be the very same text; or null.
AttemptEvidence interpret(const journal::Run& run, const LagIndex& lags,
                          const journal::Attempt& attempt, const AttemptEvidence* before);

// From the accepting of a connection made for this attempt to its first byte, within reason.
Duration connecting_time(const journal::Run& run, const AttemptEvidence& attempt);

}  // namespace retrylab::verify
