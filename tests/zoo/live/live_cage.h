// SPDX-License-Identifier: MIT
// Where a client of the zoo meets a server over loopback and is judged.
#pragma once

#include <cstdint>

#include "server/runs/live_run.h"
#include "server/verify/verdict.h"
#include "tests/zoo/cage.h"

namespace retrylab::zoo {

// As the cage's visit says; its runs go on side by side. `loop` serves them.
verify::Verdict judge_live(const Cage& cage, runs::Loop& loop, std::uint64_t seed);

}  // namespace retrylab::zoo
