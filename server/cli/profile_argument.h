// SPDX-License-Identifier: MIT
// How "--profile" names a profile.
#pragma once

#include <string>

#include "client_lib/base/result.h"

namespace retrylab::cli {

// The profile's own name; "-", "_" and "." stand for one another. "" stays "". Errors: no profile
// has it, with the nearest that does.
Result<std::string> profile_argument(const std::string& text);

}  // namespace retrylab::cli
