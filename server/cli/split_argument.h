// SPDX-License-Identifier: MIT
// Arguments that are lists: "careful,jitter=none", "A+B+C".
#pragma once

#include <string>
#include <vector>

namespace retrylab::cli {

// At each separator outside of braces, brackets and quotes; one part at least.
std::vector<std::string> split_argument(const std::string& text, char separator);

}  // namespace retrylab::cli
