// SPDX-License-Identifier: MIT
// Round times for the axes of an HTML report.
#pragma once

#include <vector>

#include "client_lib/base/time.h"

namespace retrylab::report {

// One, two or five times a power of ten; three to seven of them in a stretch of that length.
Duration round_step(Duration length);

// Its multiples from `from` to `until`, both included. `until` is not before `from`.
std::vector<Duration> round_ticks(Duration from, Duration until);

}  // namespace retrylab::report
