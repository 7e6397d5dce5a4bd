// SPDX-License-Identifier: MIT
// The top-level `connections` script: one position per accepted connection. After the last one
// connections are normal.
#pragma once

#include <cstdint>
#include <vector>

#include "server/scenario/scenario.h"

namespace retrylab::engine {

class ConnectionsScript {
 public:
  // `script` outlives it.
  explicit ConnectionsScript(const std::vector<scenario::ConnectionStep>& script)
      : script_(script) {}

  // The position of the next accepted connection; null for a normal one.
  const scenario::ConnectionStep* claim();

 private:
  const std::vector<scenario::ConnectionStep>& script_;
  std::size_t index_ = 0;
  std::uint32_t used_ = 0;
};

}  // namespace retrylab::engine
