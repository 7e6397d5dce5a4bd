// SPDX-License-Identifier: MIT
// openapi.json, as the build embeds it.
#pragma once

#include <string_view>

namespace retrylab::control {

std::string_view openapi_text();

}  // namespace retrylab::control
