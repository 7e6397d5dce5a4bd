// SPDX-License-Identifier: MIT
// A chain of services that each retry the one below: how attempts multiply, and what one budget
// does about it. Calls are made one after another; each takes no time of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "client_lib/base/ratio.h"
#include "client_lib/retry/policy.h"

namespace retrylab::sim {

struct Layers {
  // From the caller down; the last one calls the server at the bottom. The waits are slept.
  std::vector<Policy> policies;
  std::uint64_t operations = 1;
  Ratio failure{1, 1};  // of the server at the bottom, independent per attempt
  std::uint64_t seed = 1;
};

struct LayersResult {
  std::vector<std::uint64_t> attempts;  // per layer, by its policy; the last reach the bottom
  std::uint64_t successes = 0;          // of the operations at the top
};

// A layer whose call below failed answers 503 to the one above.
LayersResult run_layers(const Layers& model);

}  // namespace retrylab::sim
