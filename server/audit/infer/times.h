// SPDX-License-Identifier: MIT
// How long a client waits for one answer, and for all attempts of an operation together: from a
// server that never answers. A last attempt that is cut shorter than the others tells the deadline.
#pragma once

#include "server/audit/infer/findings.h"
#include "server/audit/infer/observed.h"

namespace retrylab::audit {

TimesFound infer_times(const Observed& observed);

}  // namespace retrylab::audit
