// SPDX-License-Identifier: MIT
// Words for the tests of what a scenario is for the kernel of a client: which bytes, FIN or RST.
#pragma once

#include <string>
#include <string_view>

#include "tests/server/runs/running.h"

namespace retrylab::runs {

inline const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
inline const std::string kPost = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody";

inline const std::string kOk = "HTTP/1.1 200 OK\r\n";
inline const std::string kText = "Content-Type: text/plain; charset=utf-8\r\n";
inline const std::string kHead = kOk + kText + "Content-Length: 5\r\n\r\n";

// Received bytes with their Date lines left out.
std::string without_date(std::string bytes);

// A scenario of one route with that step, and a 200 after it.
std::string scenario_of(std::string_view step);

// The step that answers "hello" and does `effect` at `moment` (JSON).
std::string doing(std::string_view effect, std::string_view moment);

}  // namespace retrylab::runs
