// SPDX-License-Identifier: MIT
// Right clients of every kind: they differ where good practice leaves the choice.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/zoo/habits.h"

namespace retrylab::zoo {

struct RightKind {
  std::string name;
  scenario::Jitter jitter = scenario::Jitter::full;
  std::function<void(Habits&)> choose = [](Habits&) {};
  std::string only = "";  // the one scenario it suits; "" : all
};

std::vector<RightKind> right_kinds();

}  // namespace retrylab::zoo
