// SPDX-License-Identifier: MIT
#include "tests/server/scenario/expected_mistakes.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace retrylab::scenario {

void expect_mistakes(const std::vector<Mistake>& found,
                     const std::vector<ExpectedMistake>& expected, const std::string& base) {
  std::vector<Mistake> surplus = found;
  for (const ExpectedMistake& wanted : expected) {
    const std::string pointer = wanted.pointer == "." ? base : base + wanted.pointer;
    const auto hit = std::ranges::find_if(surplus, [&](const Mistake& mistake) {
      return mistake.pointer == pointer && mistake.message.find(wanted.part) != std::string::npos;
    });
    if (hit == surplus.end()) {
      ADD_FAILURE() << "missing: " << pointer << " | " << wanted.part;
    } else {
      surplus.erase(hit);
    }
  }
  for (const Mistake& mistake : surplus) ADD_FAILURE() << "found: " << describe("file", mistake);
}

}  // namespace retrylab::scenario
