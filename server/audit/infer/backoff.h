// SPDX-License-Identifier: MIT
// Base, factor, cap and jitter from the waits of operations of which every attempt fails.
//
// The kind of jitter is the one that makes the waits most likely (band_fit.h; decorrelated jitter
// has a likelihood of its own). It is decided where that is a hundred times the next kind's.
#pragma once

#include "server/audit/infer/findings.h"
#include "server/audit/infer/observed.h"

namespace retrylab::audit {

BackoffFound infer_backoff(const Observed& observed);

}  // namespace retrylab::audit
