// SPDX-License-Identifier: MIT
// The text of one value within well-formed JSON: a scenario keeps its own places and its own
// hash though it came inside of another document.
#pragma once

#include <string_view>

#include "server/scenario/json/tree.h"

namespace retrylab::control {

// `place` is that of an object or a list in `text`.
std::string_view value_text(std::string_view text, scenario::json::Place place);

}  // namespace retrylab::control
