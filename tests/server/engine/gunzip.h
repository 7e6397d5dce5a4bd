// SPDX-License-Identifier: MIT
// Takes gzip apart with zlib, as a client does it: the check of the trailer included.
#pragma once

#include <string>

namespace retrylab {

struct Unzipped {
  bool whole = false;  // to its end, and the checksum is right
  std::string text;    // as far as it came
};

// At most 100,000 bytes of text.
Unzipped gunzip(std::string coded);

}  // namespace retrylab
