// SPDX-License-Identifier: MIT
// The parts of the command line that are not flags.
#pragma once

#include <string>
#include <vector>

namespace retrylab::cli {

struct Invocation {
  std::string program;              // as it was called
  std::vector<std::string> client;  // all that follows "--", untouched
};

// As one line that a shell reads back as the same arguments.
std::string shell_line(const std::vector<std::string>& arguments);

}  // namespace retrylab::cli
