// SPDX-License-Identifier: MIT
#include "server/report/audit/again.h"

#include <algorithm>

namespace retrylab::report {

std::string_view again_command(const audit::Scorecard& card, const audit::RuleLine& rule) {
  if (rule.scenarios.empty()) return "";
  const auto found =
      std::ranges::find(card.scenarios, rule.scenarios.front(), &audit::ScenarioLine::name);
  return found == card.scenarios.end() ? "" : std::string_view(found->command);
}

}  // namespace retrylab::report
