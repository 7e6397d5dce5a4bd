// SPDX-License-Identifier: MIT
// Draws from the usual distributions in integers: the same with every compiler and library, since
// neither libm nor a std::*_distribution takes part.
#pragma once

#include <cstdint>

#include "client_lib/base/random.h"
#include "client_lib/base/time.h"

namespace retrylab::sim {

// |Normal(mean, deviation)|; one draw. Cut off at 5.42 deviations.
Duration draw_normal(Duration mean, Duration deviation, Random& random);

// Exponential with that mean; one draw. At most 44 times the mean.
Duration draw_exponential(Duration mean, Random& random);

// -ln(u) in units of 2^-32 for u = (bits + 1) / 2^64; within 2^-21 of the exact value.
std::int64_t minus_log(std::uint64_t bits);

}  // namespace retrylab::sim
