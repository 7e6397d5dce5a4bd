// SPDX-License-Identifier: MIT
// What the matchers decide, without gMock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "client_lib/base/time.h"
#include "testing/mock_server.h"

namespace retrylab::testing {

struct Judged {
  bool holds = false;
  std::string why;  // what was seen, one line
};

struct Ceilings {
  Duration base{0};
  double factor = 2;
  Duration cap{0};
};

Judged judge_verdict(const MockServer& server);
Judged judge_created_once(const MockServer& server, std::string_view kind);
Judged judge_retry_after(const MockServer& server);
Judged judge_backoff(const MockServer& server, const Ceilings& ceilings);
Judged judge_key(const MockServer& server);
Judged judge_attempts(const MockServer& server, std::uint64_t count);

}  // namespace retrylab::testing
