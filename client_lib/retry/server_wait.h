// SPDX-License-Identifier: MIT
// What an answer says about when to come back: Retry-After first, then the other headers that
// the policy lets count, in the order of WaitHeaders. An invalid value is as good as none, and
// the next header is asked.
#pragma once

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/policy.h"

namespace retrylab {

struct ServerWait {
  enum class Kind {
    none,
    wait,      // come back after `wait`, or later
    no_retry,  // a negative or unreadable grpc-retry-pushback-ms (gRPC A6)
  };
  Kind kind = Kind::none;
  Duration wait{0};
  // gRPC A6: exactly that long, and the backoff starts again from its first step.
  bool pushback = false;
};

// `received` is the wall clock when the answer arrived. Allocates nothing.
ServerWait find_server_wait(const Headers& headers, const WaitHeaders& which, WallTime received);

}  // namespace retrylab
