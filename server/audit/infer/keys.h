// SPDX-License-Identifier: MIT
// Whether a client sends an idempotency key with requests that create something, and whether it
// stays the same on every attempt.
#pragma once

#include "server/audit/infer/findings.h"
#include "server/audit/infer/observed.h"

namespace retrylab::audit {

KeysFound infer_keys(const Observed& observed);

}  // namespace retrylab::audit
