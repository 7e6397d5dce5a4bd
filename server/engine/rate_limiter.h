// SPDX-License-Identifier: MIT
// A rate limit's state: who may pass, and what is told of it. A request that is refused costs
// nothing, so whoever obeys gets through.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

// Where a request stands with its limit.
struct LimitState {
  bool refused = false;
  std::uint64_t remaining = 0;  // requests that would pass now
  Instant passes;               // when the next one passes; for a refused request in the future
  Instant full;                 // when the limit is back at its whole size
};

class RateLimiter {
 public:
  // `rule` outlives it. At most `keys_max` callers are told apart.
  RateLimiter(const scenario::RateLimit& rule, std::uint64_t keys_max)
      : rule_(rule), keys_max_(keys_max) {}

  // A request of this caller arrives; false when there are too many callers to tell apart.
  bool ask(const std::string& caller, Instant now, LimitState& state);

 private:
  struct Caller {
    Instant window;          // fixed window: its begin
    std::uint32_t used = 0;  // requests that passed in it
    Instant spent;           // token bucket: when all that was taken will be back
  };

  LimitState ask_window(Caller& caller, Instant now) const;
  LimitState ask_bucket(Caller& caller, Instant now) const;

  const scenario::RateLimit& rule_;
  std::uint64_t keys_max_;
  std::unordered_map<std::string, Caller> callers_;
};

// The header lines that tell of the state in an answer that starts at `start` (`wall` on the
// calendar). Times are rounded up: whoever waits so long is not refused again.
Headers told_headers(const scenario::RateLimit& rule, const LimitState& state, Instant start,
                     WallTime wall);

}  // namespace retrylab::engine
