// SPDX-License-Identifier: MIT
// Outages by the run's clock.
#pragma once

#include <span>

#include "client_lib/base/time.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

// The first outage in force at `elapsed` since the run's time zero, or null.
const scenario::Outage* outage_at(std::span<const scenario::Outage> outages, Duration elapsed);

}  // namespace retrylab::engine
