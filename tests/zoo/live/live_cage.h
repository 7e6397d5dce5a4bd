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

// The same for a client with a mistake that it makes at a certain time: on a host that stalls it
// can come too late for it, and then it passes for what it did. So a pass is looked at again, twice
// at most; a mistake that is made and not seen passes every time.
verify::Verdict judge_wrong_live(const Cage& cage, runs::Loop& loop, std::uint64_t seed);

}  // namespace retrylab::zoo
