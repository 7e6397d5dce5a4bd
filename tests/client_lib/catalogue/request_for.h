// SPDX-License-Identifier: MIT
// What a client is asked to send in a scenario: what its first route takes.
#pragma once

#include "server/sim/request_for.h"

namespace retrylab {

using sim::Asked;
using sim::request_for;

}  // namespace retrylab
