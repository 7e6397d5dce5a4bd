// SPDX-License-Identifier: MIT
#include "server/scenario/mistake.h"

#include <fmt/format.h>

namespace retrylab::scenario {

std::string describe(std::string_view file, const Mistake& mistake) {
  if (mistake.line == 0) return fmt::format("{}: {}", file, mistake.message);
  const std::string at = mistake.pointer.empty() ? "" : fmt::format(" (at {})", mistake.pointer);
  return fmt::format("{}:{}:{}: {}{}", file, mistake.line, mistake.column, mistake.message, at);
}

}  // namespace retrylab::scenario
