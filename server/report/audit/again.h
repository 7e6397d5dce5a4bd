// SPDX-License-Identifier: MIT
// The command line that shows once more what a rule was judged by.
#pragma once

#include <string_view>

#include "server/audit/scorecard.h"

namespace retrylab::report {

// Of the first scenario that decided the rule; "" where there is none. A view into the card.
std::string_view again_command(const audit::Scorecard& card, const audit::RuleLine& rule);

}  // namespace retrylab::report
