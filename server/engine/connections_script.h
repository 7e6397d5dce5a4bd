// SPDX-License-Identifier: MIT
// The top-level `connections` script: one position per accepted connection, or a window of time
// that begins when the script comes to it. After the last one connections are normal.
#pragma once

#include <cstdint>
#include <vector>

#include "client_lib/base/time.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

class ConnectionsScript {
 public:
  // `script` outlives it. A window at its beginning begins at Instant zero.
  explicit ConnectionsScript(const std::vector<scenario::ConnectionStep>& script)
      : script_(script) {
    enter(Instant());
  }

  // What becomes of the next accepted connection; nothing set: a normal one.
  struct Claimed {
    const scenario::ConnectionStep* step = nullptr;
    bool refused = false;  // the port was to be closed
    bool hangs = false;
  };
  Claimed claim(Instant now);

  // The end of the window in which the port is closed, or an instant that is over.
  Instant refuses_until(Instant now);

 private:
  void enter(Instant now);
  void leave_windows(Instant now);

  const std::vector<scenario::ConnectionStep>& script_;
  std::size_t index_ = 0;
  std::uint32_t used_ = 0;
  Instant window_until_;  // of the position, when it is a window
};

}  // namespace retrylab::engine
