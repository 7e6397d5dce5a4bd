// SPDX-License-Identifier: MIT
// The number that a person would have written, where a measured one is near to it.
#pragma once

#include "client_lib/base/time.h"

namespace retrylab::audit {

// The nearest of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8 times a power of ten that is within
// `tolerance` (a share) or three milliseconds; else `time` to the millisecond.
Duration round_value(Duration time, double tolerance);

}  // namespace retrylab::audit
