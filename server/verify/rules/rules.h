// SPDX-License-Identifier: MIT
// The list of all rules: RULES.md's in its order, then the plain expectations.
#pragma once

#include <span>
#include <string_view>

#include "server/verify/rules/rule.h"

namespace retrylab::verify {

std::span<const Rule* const> all_rules();

// Null for an unknown id.
const Rule* find_rule(std::string_view id);

}  // namespace retrylab::verify
