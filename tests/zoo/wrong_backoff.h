// SPDX-License-Identifier: MIT
// What the clients with a wrong backoff have in common.
#pragma once

#include <functional>
#include <string>

#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {

using Backoff = std::function<Duration(const Progress&, Random&)>;

// Replaces the client's own backoff; `right` is what a right one waits.
std::function<void(Habits&)> backs_off(
    std::function<Duration(const Progress&, Random&, const Backoff& right)> wrong);

// Draws between two shares of the ceiling, in thousandths.
std::function<void(Habits&)> takes_between(std::int64_t low, std::int64_t high);

// A script that answers 503 so often, then 200.
std::string fails(int times);

// Members of `expect`: so many attempts and the time for them; the client's backoff.
std::string attempts(int count);
std::string declares(const std::string& base, const std::string& cap, const std::string& jitter);

}  // namespace retrylab::zoo
