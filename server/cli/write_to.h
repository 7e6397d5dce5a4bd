// SPDX-License-Identifier: MIT
// Writing a report where the command line wants it.
#pragma once

#include <string>
#include <string_view>

#include "client_lib/base/result.h"

namespace retrylab::cli {

// To a file, or to standard output for "-". ErrorCode::machine when it cannot be written.
Result<void> write_to(const std::string& target, std::string_view text);

}  // namespace retrylab::cli
