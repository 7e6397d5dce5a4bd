// SPDX-License-Identifier: MIT
// One mistake of a scenario file: where it is, what is wrong and what would be right.
#pragma once

#include <string>
#include <string_view>

namespace retrylab::scenario {

struct Mistake {
  int line = 0;         // 1-based; 0 when the file itself could not be read
  int column = 0;       // 1-based, in bytes
  std::string pointer;  // RFC 6901; "" is the whole document
  std::string message;  // one sentence, no final stop

  friend bool operator==(const Mistake&, const Mistake&) = default;
};

// "FILE:LINE:COLUMN: MESSAGE (at POINTER)".
std::string describe(std::string_view file, const Mistake& mistake);

}  // namespace retrylab::scenario
