// SPDX-License-Identifier: MIT
// How a request on the main port says which run it is for.
#pragma once

#include <string_view>

namespace retrylab::runs {

inline constexpr std::string_view kRunHeader = "X-Retrylab-Run";

}  // namespace retrylab::runs
