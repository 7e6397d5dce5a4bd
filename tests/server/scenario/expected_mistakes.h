// SPDX-License-Identifier: MIT
// Compares the mistakes of a load with those that a table lists.
#pragma once

#include <string>
#include <vector>

#include "server/scenario/mistake.h"

namespace retrylab::scenario {

struct ExpectedMistake {
  std::string pointer;  // below the base; "." is the base itself
  std::string part;     // of the message
};

// Every expected mistake is there, and no other; in any order. Failures list what was found.
void expect_mistakes(const std::vector<Mistake>& found,
                     const std::vector<ExpectedMistake>& expected, const std::string& base);

}  // namespace retrylab::scenario
