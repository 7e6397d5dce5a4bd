// SPDX-License-Identifier: MIT
// Loads what a test writes; a mistake fails the test.
#pragma once

#include <string>
#include <string_view>

#include "server/scenario/scenario.h"

namespace retrylab::scenario {

Scenario loaded(std::string_view text);

// The only step of the only route, a POST.
Step loaded_step(std::string_view step);

// The only route. `members` are added to `"on": "POST /a", "script": [200]`.
Route loaded_route(std::string_view members);

// The `expect` of a scenario whose one route, "POST /a", creates "payment".
Expect loaded_expect(std::string_view expect);

}  // namespace retrylab::scenario
