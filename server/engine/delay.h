// SPDX-License-Identifier: MIT
// How long an answer is delayed.
#pragma once

#include "client_lib/base/random.h"
#include "client_lib/base/time.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

// One draw for uniform and lognormal, none for the others. A barrier has no length of its own:
// zero. Never more than `most`.
Duration draw_delay(const scenario::Delay& delay, Duration most, Random& random);

}  // namespace retrylab::engine
