// SPDX-License-Identifier: MIT
// How many attempts an operation has while every one is answered with 503.
#pragma once

#include "server/audit/infer/findings.h"
#include "server/audit/infer/observed.h"

namespace retrylab::audit {

AttemptsFound infer_attempts(const Observed& observed);

}  // namespace retrylab::audit
