// SPDX-License-Identifier: MIT
// Which override applies to an attempt: the first whose every given part holds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "client_lib/base/time.h"
#include "server/engine/condition.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

// What a `when` looks at, besides the request.
struct Circumstances {
  std::uint64_t attempt = 0;     // n-th of its count
  std::uint64_t connection = 0;  // n-th of the run
  std::uint32_t request_on_connection = 0;
  Duration elapsed{0};                  // since the run's time zero
  std::uint32_t concurrency = 0;        // attempts on this route now, this one included
  std::optional<std::uint32_t> replay;  // it will be the n-th replay of a stored answer
  bool replay_unknown = false;          // the body decides
};

struct OverrideFound {
  const scenario::Step* step = nullptr;
  bool needs_body = false;
};

OverrideFound find_override(std::span<const scenario::Override> overrides,
                            const Circumstances& circumstances, const Request& request);

}  // namespace retrylab::engine
